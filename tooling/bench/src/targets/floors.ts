/** The floors: the least that each kind of server could do. Limits to measure against, not servers to use. */
import type { Kind, Target } from "./target.ts";
import { node, program } from "./command.ts";

const floor = (name: string, kind: Kind, file: string, ...args: string[]): Target => {
  return { name, product: "floor", role: "floor", kind, command: node(program(file), ...args) };
};

export const FLOORS: readonly Target[] = [
  floor("floor", "echo", "floor-stdio.mjs"),
  floor("floor-http", "http", "floor-http.mjs"),
  floor("fs-floor", "filesystem", "floor-filesystem.mjs"),
  { ...floor("fs-floor-twice", "filesystem", "floor-filesystem.mjs", "twice"), product: "floor, text twice" },
  floor("git-floor", "git", "floor-git.mjs"),
  floor("sqlite-floor", "sqlite", "floor-sqlite.mjs", "{dir}/bench.db"),
  {
    ...floor("sqlite-floor-crossing", "sqlite", "floor-crossing.mjs", program("floor-sqlite.mjs"), "{dir}/bench.db"),
    product: "floor in another process",
  },
  floor("memory-floor", "memory", "floor-memory.mjs", "{dir}/memory.jsonl"),
];
