/** What a start may load, up to the response to `initialize`. How many modules of Node it loads, is in budgets.tsv. */
import { DatabaseSync } from "node:sqlite";
import type { TempFolder } from "@oarlock/testing";

/** Modules of Node for pipes as stdin and stdout, and for the guard that keeps the output of child processes off stdout. */
const PIPES = ["child_process", "dgram", "net", "stream", "stream/promises", "string_decoder"];
/** What `node:http` loads, random ids, and the wait of a listener that drains. */
const HTTP = [...PIPES, "cluster", "dns", "http", "perf_hooks", "v8", "timers/promises"];

export interface StartBudget {
  name: string;
  path: string;
  args(folder: TempFolder): string[];
  http: boolean;
  /** Public modules that may be loaded; no others. */
  may: readonly string[];
  /** Files of ours. */
  files: number;
}

interface Row extends Pick<StartBudget, "name" | "path" | "args"> {
  more: readonly string[];
}

const none = (): string[] => [];

/** Creates a database. */
function database(folder: TempFolder): string[] {
  new DatabaseSync(folder.at("start.db")).close();
  return [folder.at("start.db")];
}

const SERVERS: readonly Row[] = [
  { name: "filesystem", path: "servers/filesystem/dist/bin.js", args: ({ path }) => [path], more: ["os", "timers/promises"] },
  {
    name: "git",
    path: "servers/git/dist/bin.js",
    args: () => ["--repositories-root", "."],
    more: ["os", "timers/promises"],
  },
  { name: "sqlite", path: "servers/sqlite/dist/bin.js", args: database, more: ["os"] },
  { name: "memory", path: "servers/memory/dist/bin.js", args: (folder) => ["--db", folder.at("memory.db")], more: ["os"] },
];

/** HTTP, and what is offered. On a busy machine a database is opened meanwhile: the files of the driver, or of the processes and their queue. */
const FILES_OVER_HTTP: Readonly<Record<string, number>> = { memory: 24, sqlite: 10 };

export const STARTS: readonly StartBudget[] = [
  { name: "echo", path: "tooling/bench/dist/echo-stdio.js", args: none, http: false, may: PIPES, files: 1 },
  ...SERVERS.map(({ more, ...row }) => ({ ...row, http: false, may: [...PIPES, ...more], files: 1 })),
  ...SERVERS.map(({ more, name, args, ...row }) => ({
    ...row,
    name: `${name} --http`,
    args: (folder: TempFolder) => [...args(folder), "--http", "--port=0"],
    http: true,
    may: [...HTTP, ...more],
    files: FILES_OVER_HTTP[name] ?? 7,
  })),
];
