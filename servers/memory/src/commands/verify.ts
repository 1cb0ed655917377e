// verify: checks the database, the vectors beside it and the JSONL file, changes nothing, and reports problems.
import { existsSync, statSync } from "node:fs";
import { counted } from "@oarlock/domain-kit";
import { hasAddon, loadAddon } from "../addons.ts";
import { newerFormat } from "../graph/errors.ts";
import { findDamagedLines } from "../graph/jsonl/damaged-lines.ts";
import { readFileVersion } from "../graph/jsonl/file-version.ts";
import { vectorsPathOf } from "../graph/location.ts";
import { openDatabase } from "../graph/sqlite/driver.ts";
import { FORMAT_VERSION } from "../graph/sqlite/tables.ts";
import { lastSeq } from "../graph/store/calls.ts";
import { getMirrorState } from "../graph/store/mirror-state.ts";
import { Store } from "../graph/store/store.ts";
import type { CommandContext } from "./context.ts";

const MAX_LISTED_PROBLEMS = 20;
const LOCK_TIMEOUT_MS = 5000;

/** Returns the exit code: 1 where there are problems. */
export async function verify({ location, output: { writeLine } }: CommandContext): Promise<number> {
  const { database, mirror } = location;
  const problems = [...checkStore(database, mirror, writeLine), ...(await checkVectors(database)), ...checkJsonlFile(mirror)];
  for (const problem of problems.slice(0, MAX_LISTED_PROBLEMS)) writeLine(`Problem: ${problem}`);
  if (problems.length > MAX_LISTED_PROBLEMS) writeLine(`and ${problems.length - MAX_LISTED_PROBLEMS} more`);
  writeLine(problems.length === 0 ? "No problems found." : `${counted(problems.length, "problem")} found.`);
  return problems.length === 0 ? 0 : 1;
}

function* checkStore(path: string, mirror: string | undefined, writeLine: (line: string) => void): Generator<string> {
  if (!existsSync(path) && (mirror === undefined || !existsSync(mirror)))
    return yield `the database ${path} does not exist: check --db and MEMORY_FILE_PATH, add --scope principal for the memories of users, or start the server once`;
  if (!existsSync(path) || statSync(path).size === 0) return writeLine(`Database ${path} does not exist yet.`);
  using store = new Store(openDatabase(path, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
  try {
    yield* checkDatabase(store);
    const { entities, relations } = store.totals();
    writeLine(`The database has ${counted(entities, "entity", "entities")} and ${counted(relations, "relation")}.`);
    yield* checkGraph(store);
    if (mirror !== undefined && !isUpToDate(store, mirror))
      writeLine(`${mirror} is not up to date; the server will update it at its next start.`);
  } catch (error) {
    yield `database not readable: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function* checkDatabase(store: Store): Generator<string> {
  for (const { integrity_check: line } of store.all<{ integrity_check: string }>("PRAGMA integrity_check(20)"))
    if (line !== "ok") yield `database: ${line}`;
  const version = Number(store.db.pragma("user_version", { simple: true }));
  if (version > FORMAT_VERSION) yield newerFormat(version, FORMAT_VERSION).message;
}

function* checkGraph(store: Store): Generator<string> {
  const duplicates = store.all<{ name: string }>("SELECT name FROM entity WHERE ended IS NULL GROUP BY name HAVING count(*) > 1 LIMIT 5");
  for (const { name } of duplicates) yield `two entities have the name ${JSON.stringify(name)}`;
  const orphaned = store.get<{ count: number }>(
    "SELECT count(*) AS count FROM observation WHERE ended IS NULL AND entity NOT IN (SELECT id FROM entity WHERE ended IS NULL)",
  );
  if (orphaned !== undefined && orphaned.count > 0) yield `${counted(orphaned.count, "observation")} without an entity`;
}

async function checkVectors(database: string): Promise<string[]> {
  const path = vectorsPathOf(database);
  if (!existsSync(path) || !existsSync(database) || !hasAddon("embeddings")) return [];
  const { verifyVectors } = await loadAddon("embeddings", "verify");
  using store = new Store(openDatabase(database, { readonly: true, timeout: LOCK_TIMEOUT_MS }));
  try {
    const hasRow = (table: string, id: number): boolean => store.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined;
    return [...verifyVectors(path, (id) => (id < 0 ? hasRow("entity", -id) : hasRow("observation", id)))];
  } catch {
    // checkStore reports a database that cannot be read.
    return [];
  }
}

function isUpToDate(store: Store, mirror: string): boolean {
  const state = getMirrorState(store);
  return state !== undefined && state.identity === readFileVersion(mirror)?.identity && state.syncedSeq >= lastSeq(store);
}

function* checkJsonlFile(mirror: string | undefined): Generator<string> {
  if (mirror === undefined || !existsSync(mirror)) return;
  for (const { number, reason } of findDamagedLines(mirror)) yield `${mirror} line ${number}: ${reason}`;
}
