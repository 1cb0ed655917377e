// backup: copies a memory while servers use it. One memory into a file, or all of an installation into a folder, under their names.
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError, reasonForMessage, toGraphError } from "../../graph/errors.ts";
import { resolveLinks, type Location } from "../../graph/location.ts";
import { holdFolderOf } from "../../graph/memory-files.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";
import { APPLICATION_ID } from "../../graph/sqlite/tables.ts";
import { writeCopy } from "../../graph/store/backups.ts";
import type { PostgresLocation } from "../../postgres-location.ts";
import { UsageError } from "../context.ts";
import type { FoundMemory } from "../../scopes/found-memory.ts";

const LOCK_TIMEOUT_MS = 5000;

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Nothing is replaced. One that cannot be copied is named, and the others are copied all the same. Returns the exit code. */
export async function backup(
  memories: readonly FoundMemory<Location>[],
  target: string,
  writeLine: (line: string) => void,
): Promise<number> {
  if (memories.length === 0) throw new GraphError("not-found", "No memory exists there: nothing to back up. Name one with --db.");
  const into = isFolder(target);
  if (!into && memories.length > 1)
    throw new UsageError(`There are ${memories.length} memories: name an existing folder for all of them, or one of them with --scope`);
  if (!into && extname(target) === "")
    throw new UsageError(`Folder ${target} does not exist: make it first, or name a file such as ${target}.db`);
  // As one file it would look like the default memory, which everybody reads.
  const [first] = memories;
  if (!into && first?.isDefault === false)
    throw new UsageError(`${first.name} is the memory of one user or project: name an existing folder, or that memory with --scope`);
  const path = resolveLinks(resolve(target));
  let failed = 0;
  for (const { location } of memories) {
    const copy = into ? join(path, basename(location.database)) : path;
    try {
      await backUp(location.database, copy);
      writeLine(`Backed up ${location.database} to ${copy}.`);
    } catch (error) {
      if (memories.length === 1) throw error;
      failed++;
      writeLine(`Error: ${location.database} was not copied: ${reasonForMessage(toGraphError(error))}`);
    }
  }
  if (failed > 0) writeLine(`${failed} of ${memories.length} memories were not copied.`);
  return failed === 0 ? 0 : 1;
}

async function backUp(database: string, copy: string): Promise<void> {
  if (!existsSync(database))
    throw new GraphError("not-found", `Database ${database} does not exist yet: start the server once, or copy the file.`);
  checkIsMemory(database);
  using folder = holdFolderOf(copy);
  using file = writeCopy(database, folder, ".oarlock-");
  await file.sync();
  try {
    await file.takeName(basename(copy));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    throw new GraphError("invalid", `File ${copy} exists: a backup replaces nothing. Name another file or folder than ${dirname(copy)}.`);
  }
}

/** SQLite copies a short file of anything as an empty database. */
function checkIsMemory(database: string): void {
  const db = openDatabase(database, { readonly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    if (db.pragma("application_id", { simple: true }) !== APPLICATION_ID)
      throw new GraphError("damaged", "It is damaged, or no memory. Put an earlier backup in its place with restore.");
  } finally {
    db.close();
  }
}

/** The commands that do the same on Postgres, whose programs must not be older than the server. */
export function postgresHint(command: "backup" | "restore", { schema, displayName }: PostgresLocation, version: number): UsageError {
  const [, host = "", port, database = ""] = /^(.*?)(?::(\d+))?\/(.*)$/s.exec(displayName) ?? [];
  const at = `--host=${host}${port === undefined ? "" : ` --port=${port}`} --dbname=${database}`;
  const words =
    command === "backup"
      ? `pg_dump ${at} --format=custom --schema='${schema}*' --file=FILE`
      : `pg_restore ${at} --clean --if-exists --single-transaction FILE`;
  const program = words.split(" ", 1)[0];
  return new UsageError(
    `A memory in Postgres has no ${command} by this server. Use ${program} of version ${version} or later, that of the database: ${words}`,
  );
}
