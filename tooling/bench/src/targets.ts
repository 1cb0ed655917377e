/** What is measured: our servers, the floors below them, and the official ones beside them. All run on the Node that runs this. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Era } from "./http/modes.ts";

/**
 * `echo` servers have the ten tools of tools.js, `http` servers the same over Streamable HTTP; `filesystem`, `git`, `sqlite` and
 * `memory` servers have the well-known tools of their kind; `any` is a command by hand.
 */
export type Kind = "echo" | "http" | "filesystem" | "git" | "sqlite" | "memory" | "any";

export interface Target {
  name: string;
  kind: Kind;
  /** The words of the command; `{dir}` is a folder to serve, `{port}` (and `$PORT`) where to listen. */
  command: readonly string[];
  /** The only era over HTTP that it is for; left out: both. */
  era?: Era;
  /** A file that a build makes, and what it is made from. */
  built?: { file: string; source: string };
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const node = (...args: string[]): string[] => [process.execPath, ...args];

const ECHO = here("../dist/echo-stdio.js");
const ECHO_HTTP = here("../dist/echo-http.js");
const FILESYSTEM = here("../../../servers/filesystem/dist/bin.js");
const FILESYSTEM_BUILT = { file: FILESYSTEM, source: here("../../../servers/filesystem/src/bin.ts") };
const GIT = here("../../../servers/git/dist/bin.js");
const SQLITE = here("../../../servers/sqlite/dist/bin.js");
const OFFICIAL_FILESYSTEM = fileURLToPath(
  new URL("dist/index.js", import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json")),
);

const MEMORY = here("../../../servers/memory/dist/bin.js");
const MEMORY_BUILT = { file: MEMORY, source: here("../../../servers/memory/src/bin.ts") };
const OFFICIAL_MEMORY = fileURLToPath(new URL("dist/index.js", import.meta.resolve("@modelcontextprotocol/server-memory/package.json")));

export const TARGETS: readonly Target[] = [
  { name: "floor", kind: "echo", command: node(here("../peers/floor-stdio.mjs")) },
  { name: "sdk-v1", kind: "echo", command: node(here("../peers/sdk-v1.mjs"), "high") },
  { name: "sdk-v1-low", kind: "echo", command: node(here("../peers/sdk-v1.mjs"), "low") },
  { name: "ours", kind: "echo", command: node(ECHO), built: { file: ECHO, source: here("echo-stdio.ts") } },
  { name: "floor-http", kind: "http", command: node(here("../peers/floor-http.mjs")) },
  { name: "sdk-v1-http", kind: "http", era: "stateful", command: node(here("../peers/sdk-v1-http.mjs")) },
  { name: "sdk-v2-http", kind: "http", era: "modern", command: node(here("../peers/sdk-v2-http.mjs")) },
  { name: "ours-http", kind: "http", command: node(ECHO_HTTP), built: { file: ECHO_HTTP, source: here("echo-http.ts") } },
  { name: "fs-floor", kind: "filesystem", command: node(here("../peers/floor-filesystem.mjs")) },
  { name: "server-filesystem", kind: "filesystem", command: node(OFFICIAL_FILESYSTEM, "{dir}") },
  {
    name: "ours-filesystem",
    kind: "filesystem",
    command: node(FILESYSTEM, "{dir}"),
    built: FILESYSTEM_BUILT,
  },
  { name: "ours-filesystem-lean", kind: "filesystem", command: node(FILESYSTEM, "--lean", "{dir}"), built: FILESYSTEM_BUILT },
  { name: "git-floor", kind: "git", command: node(here("../peers/floor-git.mjs")) },
  {
    name: "ours-git",
    kind: "git",
    command: node(GIT, "--repository", "{dir}"),
    built: { file: GIT, source: here("../../../servers/git/src/bin.ts") },
  },
  { name: "sqlite-floor", kind: "sqlite", command: node(here("../peers/floor-sqlite.mjs"), "{dir}/bench.db") },
  {
    name: "ours-sqlite",
    kind: "sqlite",
    command: node(SQLITE, "--read-write", "{dir}/bench.db"),
    built: { file: SQLITE, source: here("../../../servers/sqlite/src/bin.ts") },
  },
  { name: "memory-floor", kind: "memory", command: node(here("../peers/floor-memory.mjs"), "{dir}/memory.jsonl") },
  // It takes its file from the environment alone.
  { name: "server-memory", kind: "memory", command: ["env", "MEMORY_FILE_PATH={dir}/memory.jsonl", ...node(OFFICIAL_MEMORY)] },
  { name: "ours-memory", kind: "memory", command: node(MEMORY, "--db", "{dir}/memory.jsonl"), built: MEMORY_BUILT },
];

export const isBuilt = ({ built }: Target): boolean => built === undefined || existsSync(built.file);

/** Not even written yet, so that nobody can expect a build of it. */
export const isPlanned = ({ built }: Target): boolean => built !== undefined && !existsSync(built.source);

/** The target with this name; throws what to say to whoever typed it. */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(`unknown target: ${name} (there are ${TARGETS.map((target) => target.name).join(", ")})`);
  return found;
}

/** A target from `NAME=COMMAND`, or from a command alone. */
export function targetOf(text: string, name: string): Target {
  const [, given = name, command = text] = /^([\w.+@-]+)=(?!=)(.*)$/s.exec(text) ?? [];
  return { name: given, kind: "any", command: words(command) };
}

/** A command line split the way a shell would, without running one. */
export function words(line: string): string[] {
  const parts = line.matchAll(/(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+))(\s*)/gs);
  const out: string[] = [];
  let joined = false;
  for (const [, double, single, bare, space] of parts) {
    const text = single ?? (double ?? bare ?? "").replaceAll(/\\(.)/gs, "$1");
    if (joined) out.push((out.pop() ?? "") + text);
    else out.push(text);
    joined = space === "";
  }
  return out;
}
