/** What is said of the machine and of those measured: their kinds and versions, no names of places. */
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { GROUPS, lockedIn } from "../peers/groups.ts";
import { inRepository } from "../paths.ts";
import type { Result } from "./result.ts";

const GIB = 1024 ** 3;

export const machine = (): Result["machine"] => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / GIB),
  node: process.version,
});

/** The requested versions by package. */
export function versions(): Record<string, string> {
  const files = GROUPS.map((group) => `${lockedIn(group)}/package.json`);
  const all = files.flatMap((file) => Object.entries(dependenciesIn(file)));
  return Object.fromEntries(
    all.filter(([name]) => !["zod", "hono", "@hono/node-server"].includes(name)).toSorted(([one], [other]) => one.localeCompare(other)),
  );
}

const dependenciesIn = (file: string): Record<string, string> =>
  (JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Record<string, string> }).dependencies ?? {}; // our own

export const ownVersion = (): string =>
  (JSON.parse(readFileSync(inRepository("packages/server-kit/package.json"), "utf8")) as { version: string }).version; // our own
