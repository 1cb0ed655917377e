// The store that tests use: SQLite files as they name them, or schemas of a PostgreSQL server in their place.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { TestOptions } from "vitest";

let address: string | undefined;
const schemas = new Map<string, string>();
/** Their tables are empty. */
const free: string[] = [];
let count = 0;

/** From now on, a .db file stands for a schema of this server. */
export function usePostgres(url: string): void {
  address = url;
}

export const isOnPostgres = (): boolean => address !== undefined;

/** Options of a test that needs the files of SQLite. */
export const onFilesOnly = (): TestOptions =>
  isOnPostgres() ? { skip: true, meta: { skipReason: "needs the files of a memory in SQLite, and the memory is in Postgres" } } : {};

/** The value of --db for a file that a test names. Files with a JSONL mirror stay files. */
export function dbOf(file: string): string {
  if (address === undefined || !file.endsWith(".db")) return file;
  const schema = schemas.get(file) ?? free.pop() ?? `test_${process.pid}_${count++}_`;
  schemas.set(file, schema);
  return `${address}?schema=${schema}`;
}

/**
 * Gives the schemas of files whose folder is gone to other files, once `empty` has emptied their tables: making tables takes fifteen times as long.
 * A schema for which `empty` returns false is not used again.
 */
export async function reuseSchemas(empty: (schema: string) => Promise<boolean>): Promise<void> {
  for (const [file, schema] of schemas) {
    if (existsSync(dirname(file))) continue;
    schemas.delete(file);
    if (await empty(schema)) free.push(schema);
  }
}
