// restore: puts a backup in the place of a memory. The backup is checked first, and what it replaces is kept beside it.
import { existsSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Database } from "better-sqlite3";
import { processWithOpen } from "@oarlock/cli/doctor";
import { makeFolders, renameToFreeName, systemErrorCode, type HeldFolder } from "@oarlock/domain-kit";
import { GraphError, isBusy, newerFormat } from "../../graph/errors.ts";
import type { Location } from "../../graph/location.ts";
import { Memory } from "../../graph/memory.ts";
import { holdFolderOf, statMemoryFile } from "../../graph/memory-files.ts";
import { openDatabase } from "../../graph/sqlite/driver.ts";
import { APPLICATION_ID, FORMAT_VERSION } from "../../graph/sqlite/tables.ts";
import { backupName, writeCopy } from "../../graph/store/backups.ts";
import { platform } from "../../platform.ts";
import { UsageError, type CommandContext } from "../context.ts";
import { describeTotals } from "../import.ts";
import { memoryExists, scopesBeside } from "../people/memories.ts";
import { scopedLocation } from "../../scopes/scoped-location.ts";
import { isFolder } from "./backup.ts";

const LOCK_TIMEOUT_MS = 5000;

/** `source`: a file, or a folder that `backup` filled. Without `isConfirmed` a memory that exists is not replaced. */
export async function restore(context: CommandContext, source: string, isConfirmed: boolean): Promise<number> {
  const { location } = context;
  const from = resolve(source);
  const pairs = isFolder(from) ? pairsIn(from, location) : [{ backup: from, location }];
  if (pairs.length === 0)
    throw new GraphError("not-found", `Folder ${from} has no backup of ${basename(location.database)}. Name another one.`);
  for (const { backup } of pairs) checkBackup(backup);
  const replaced = pairs.filter(({ location }) => memoryExists(location));
  if (replaced.length > 0 && !isConfirmed)
    throw new UsageError(
      `${replaced.map(({ location }) => location.mirror ?? location.database).join(", ")} would be replaced. Nothing was changed. Add --yes: what is there is kept beside it`,
    );
  const locked: Restoration[] = [];
  try {
    // All of them before the first is replaced.
    for (const pair of pairs) locked.push({ ...pair, lock: lockAlone(pair.location.database, context.output.writeLine) });
    for (const pair of locked) await restoreOne(context, pair);
  } finally {
    for (const { lock } of locked) lock?.close();
  }
  return 0;
}

interface Restoration {
  readonly backup: string;
  readonly location: Location;
  /** Undefined where nothing can be locked. */
  readonly lock: Database | undefined;
}

function pairsIn(folder: string, location: Location): { backup: string; location: Location }[] {
  const there = (path: string): string => join(folder, basename(path));
  const { database, mirror } = location;
  const copies: Location = { database: there(database), ...(mirror !== undefined && { mirror: there(mirror) }) };
  return [undefined, ...scopesBeside(copies)].flatMap((scope) => {
    const backup = scopedLocation(copies, scope).database;
    return existsSync(backup) ? [{ backup, location: scopedLocation(location, scope) }] : [];
  });
}

/** Throws a GraphError for a damaged file, one of another program, or a newer format. */
function checkBackup(path: string): void {
  if (statMemoryFile(path) === undefined)
    throw new GraphError("not-found", `Backup ${path} does not exist. Name a file that backup has written.`);
  let db: Database | undefined;
  try {
    db = openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS });
    const id = Number(db.pragma("application_id", { simple: true }));
    const format = Number(db.pragma("user_version", { simple: true }));
    if (id !== APPLICATION_ID) throw new GraphError("invalid", `Backup ${path} is not a memory. Nothing was changed. Name another file.`);
    if (format > FORMAT_VERSION) throw newerFormat(format, FORMAT_VERSION);
    if (db.pragma("integrity_check(1)", { simple: true }) !== "ok") throw new Error("damaged");
  } catch (error) {
    if (error instanceof GraphError) throw error;
    throw new GraphError(
      "damaged",
      `Backup ${path} is damaged (${systemErrorCode(error) ?? "content"}). Nothing was changed. Name another backup.`,
    );
  } finally {
    db?.close();
  }
}

async function restoreOne({ output }: CommandContext, { backup, location, lock }: Restoration): Promise<void> {
  const { database, mirror } = location;
  makeFolders(dirname(database), 0o700);
  using folder = holdFolderOf(database);
  using copy = writeCopy(backup, folder, ".oarlock-");
  await copy.sync();
  if (platform === "win32") lock?.close(); // an open file keeps its name there
  for (const file of [mirror, database, `${database}-wal`, `${database}-journal`])
    if (file !== undefined) await keep(folder, basename(file), output.writeLine);
  rmSync(folder.at(`${basename(database)}-shm`), { force: true });
  await copy.takeName(basename(database));
  lock?.close();
  await using memory = new Memory({ location, warn: output.writeLine });
  await memory.flush();
  output.writeLine(`Restored ${mirror ?? database} from ${backup}: ${describeTotals(await memory.read((store) => store.totals()))}.`);
}

/** Holds the database so that no server can begin to write it. Undefined where it cannot be opened. Throws where a server has it open. */
function lockAlone(database: string, writeLine: (line: string) => void): Database | undefined {
  if (statMemoryFile(database) === undefined) return undefined;
  let db: Database | undefined;
  try {
    db = openDatabase(database, { timeout: LOCK_TIMEOUT_MS });
    // Only the last connection can leave the write-ahead log, which becomes a part of the database with it.
    db.pragma("journal_mode = DELETE");
    db.exec("BEGIN IMMEDIATE");
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) throw inUse(database);
    const path = realpathSync(database);
    const holder = processWithOpen((link) => link === path);
    if (holder !== undefined) throw inUse(database, ` by process ${holder}`);
    writeLine(`${database} cannot be opened (${systemErrorCode(error) ?? "unknown error"}): make sure that no server uses it.`);
    return undefined;
  }
}

const inUse = (database: string, by = ""): GraphError =>
  new GraphError("busy", `Memory ${database} is in use${by}. Nothing was changed. Stop the servers that use it, and try again.`);

async function keep(folder: HeldFolder, name: string, writeLine: (line: string) => void): Promise<void> {
  if (statMemoryFile(folder.at(name)) === undefined) return;
  const kept = backupName(name);
  await renameToFreeName(folder.at(name), folder.at(kept));
  writeLine(`What was there is kept as ${kept}.`);
}
