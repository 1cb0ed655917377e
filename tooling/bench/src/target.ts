/** What is measured: a server by its command, or a package by its weight. */
import type { Era } from "./http/modes.ts";

/**
 * `echo` servers have the ten tools of tools.js, `http` servers the same over Streamable HTTP; `filesystem`, `git`, `sqlite` and
 * `memory` servers have the well-known tools of their kind; a `package` is weighed and not started; `any` is a command by hand.
 */
export type Kind = "echo" | "http" | "filesystem" | "git" | "sqlite" | "memory" | "package" | "any";

export interface Target {
  name: string;
  /** What people know it as; the same over stdio and HTTP. */
  product: string;
  role: "floor" | "ours" | "peer";
  kind: Kind;
  /** The words of the command; `{dir}` is a folder to serve, `{port}` (and `$PORT`) where to listen. */
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Those that it speaks, and that it is measured in; left out: all. */
  eras?: readonly Era[];
  /** A server as published, with its own tools: its echo says more than the message, and its list is another one. */
  own?: true;
  /** Over HTTP it ignores the requested response type (events or JSON); it is measured anyway. */
  eitherWay?: true;
  /** Whose names its tools and their arguments have; left out: the official servers'. */
  dialect?: "git-mcp-server" | "mcp-sqlite" | "dbhub";
  /** A file that a build of this repository makes. */
  built?: string;
  /** Where it is installed by `pnpm bench:peers`, and a file that is there then. */
  installed?: { group: string; file: string };
  /** What is weighed: a package of this repository, packed, or one that is installed. */
  package?: { name: string; packed?: boolean };
}
