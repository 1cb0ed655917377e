// The store that tests use: SQLite files as they name them, or schemas of a PostgreSQL server in their place.
import { createHash } from "node:crypto";
import { TESTED_REVISIONS } from "@oarlock/testing";
import { test, type TestOptions } from "vitest";

let address: string | undefined;
const schemas = new Set<string>();

/** From now on, a .db file stands for a schema of this server. */
export function usePostgres(url: string): void {
  address = url;
}

export const isOnPostgres = (): boolean => address !== undefined;

/** Options of a test that needs the files of SQLite. */
export const onFilesOnly = (): TestOptions =>
  isOnPostgres() ? { skip: true, meta: { skipReason: "needs the files of a memory in SQLite, and the memory is in Postgres" } } : {};

/**
 * The inputs of a test. On Postgres the first `few` of them, where the others differ in nothing that the store sees, as the tests on files show;
 * with OARLOCK_LONG=1 all.
 */
export const perStore = <T>(inputs: readonly T[], few = 1): readonly T[] =>
  isOnPostgres() && process.env["OARLOCK_LONG"] !== "1" ? inputs.slice(0, few) : inputs;

/** Registers a test for each revision; on Postgres for the newest only. */
export function everyRevisionOfStore(title: string, body: (revision: string) => Promise<void>): void {
  for (const revision of perStore(TESTED_REVISIONS)) test(`${title} — ${revision}`, () => body(revision));
}

/** The value of --db for a file that a test names. Files with a JSONL mirror stay files. */
export function dbOf(file: string): string {
  if (address === undefined || !file.endsWith(".db")) return file;
  const schema = `t_${createHash("sha256").update(file).digest("hex").slice(0, 20)}`;
  schemas.add(schema);
  return `${address}?schema=${schema}`;
}

/** The schemas that tests have used. */
export const usedSchemas = (): readonly string[] => [...schemas];
