/**
 * The descriptions of the servers for registries, hosts and bundles, from `servers.json`. `node src/describe.ts` writes the files that follow from
 * them; a test fails if a file is out of date.
 */
import { readFileSync } from "node:fs";

/** Not registered yet: register both names before the first publication. */
export const OWNER = "oarlock";
export const SCOPE = "@oarlock";
export const REPOSITORY = `https://github.com/${OWNER}/${OWNER}`;

/** A setting that hosts ask for when a user installs a server. */
export interface Setting {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly type: "directory" | "file";
  readonly many: boolean;
  /** An example, absolute. */
  readonly example: string;
}

export interface About {
  /** Folder below servers/, name of the package in the scope, and of the command behind `oarlock-`. */
  readonly name: string;
  readonly title: string;
  /** At most 100 characters, a limit of the registry. */
  readonly summary: string;
  readonly keywords: readonly string[];
  /** Positional arguments; undefined: none. */
  readonly positionals?: Setting;
  /** A call that works with the example of the positionals, as an example for the MCP Inspector. */
  readonly call: { readonly tool: string; readonly argument: string };
  /** Groups of tools besides `default`. */
  readonly toolsets: readonly string[];
  /** Packages that switches of this server load, for its image. */
  readonly options: readonly string[];
  /** Debian packages that a container needs besides Node. */
  readonly system: readonly string[];
}

export const SERVERS = JSON.parse(readFileSync(new URL("../servers.json", import.meta.url), "utf8")) as readonly About[]; // our own

export const packageOf = ({ name }: About): string => `${SCOPE}/${name}`;

export const commandOf = ({ name }: About): string => `oarlock-${name}`;

/** Its name in the registry: reverse DNS of the account that proves to own it. */
export const registryNameOf = ({ name }: About): string => `io.github.${OWNER}/${name}`;
