// Checks of `oarlock-memory doctor`: the store, the JSONL file and the keys of embeddings.
import { existsSync, statSync } from "node:fs";
import { StartError } from "@oarlock/cli";
import { checkDatabase, checkFile, checkFolder, failed, failedBy, passed, type Check } from "@oarlock/cli/doctor";
import { counted } from "@oarlock/domain-kit";
import { checkPostgres } from "./check-postgres.ts";
import { configuredLocation, isInPostgres } from "./configured-location.ts";
import { scopesBeside } from "./commands/people/memories.ts";
import { newerFormat } from "./graph/errors.ts";
import { findDamagedLines } from "./graph/jsonl/damaged-lines.ts";
import { openDatabase } from "./graph/sqlite/driver.ts";
import type { Location } from "./graph/location.ts";
import { APPLICATION_ID, FORMAT_VERSION } from "./graph/sqlite/tables.ts";
import { platform } from "./platform.ts";
import { scopedLocation } from "./scopes/scoped-location.ts";

export interface CheckedOptions {
  readonly db: string | undefined;
  /** The folder of Markdown notes. */
  readonly mirror: string | undefined;
  readonly embeddingsKeyFile: string | undefined;
  readonly readOnly: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Larger files are not parsed: the report must not take minutes. */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;
const MAX_LISTED = 3;

/** Nothing is changed: no store is created or upgraded. */
export async function checkMachine({ db, mirror, embeddingsKeyFile, readOnly, env }: CheckedOptions): Promise<Check[]> {
  return [
    ...(await checkStore(db, readOnly, env)),
    ...(mirror === undefined ? [] : [checkFolder("notes", mirror, { write: !readOnly, mayBeMissing: true })]),
    ...(embeddingsKeyFile === undefined ? [] : [checkKeyFile(embeddingsKeyFile)]),
  ];
}

async function checkStore(db: string | undefined, readOnly: boolean, env: CheckedOptions["env"]): Promise<Check[]> {
  const name = "store";
  try {
    const location = configuredLocation(db, env);
    if (isInPostgres(location)) {
      await checkPostgres(location, true);
      return [passed(name, "The memory in Postgres can be opened.")];
    }
    const { database: file, mirror } = location;
    return [
      ...checkDatabase(openDatabase, { name, file, write: !readOnly, mayBeMissing: true, examine: checkFormat }),
      ...checkScopes(location, !readOnly),
      ...(mirror === undefined ? [] : checkJsonl(mirror, !readOnly)),
    ];
  } catch (error) {
    const text = (error instanceof Error ? error.message : String(error)).trim();
    const [, message = text, remedy] = /^(.*?\.) (.+)$/s.exec(text) ?? [];
    return [failed(name, message, remedy ?? "Name a file in a writable folder with --db or MEMORY_FILE_PATH.")];
  }
}

/** The memories of users and projects beside the default one: what is wrong with them, or that nothing is. */
function checkScopes(location: Location, write: boolean): Check[] {
  const name = "stores of users and projects";
  const scopes = scopesBeside(location);
  if (scopes.length === 0) return [];
  const checks = scopes.flatMap((scope) => {
    const file = scopedLocation(location, scope).database;
    return checkDatabase(openDatabase, { name, file, write, mayBeMissing: true, examine: checkFormat });
  });
  const problems = checks.filter(({ ok }) => !ok);
  return problems.length > 0
    ? problems
    : [passed(name, `${counted(scopes.length, "memory", "memories")} can be opened, and none is damaged.`)];
}

function checkFormat(connection: { pragma(text: string, options?: { simple: boolean }): unknown }): Check[] {
  const id = Number(connection.pragma("application_id", { simple: true }));
  const version = Number(connection.pragma("user_version", { simple: true }));
  const name = "store format";
  if (id !== APPLICATION_ID) return [failed(name, "The file is a database of another program.", "Name another file with --db.")];
  if (version > FORMAT_VERSION) return [failedBy(name, new StartError(newerFormat(version, FORMAT_VERSION).message, 3), "")];
  return [
    passed(name, version < FORMAT_VERSION ? `Format ${version}; the next start upgrades it to ${FORMAT_VERSION}.` : `Format ${version}.`),
  ];
}

function checkJsonl(path: string, write: boolean): Check[] {
  const name = "jsonl";
  const rights = checkFile(name, path, { write, mayBeMissing: true });
  if (!rights.ok || !existsSync(path)) return [rights];
  if (statSync(path).size > MAX_PARSED_BYTES) return [passed(name, `${rights.message} It is too large to be parsed here.`)];
  const damaged = [...findDamagedLines(path)];
  if (damaged.length === 0) return [rights];
  const listed = damaged.slice(0, MAX_LISTED).map(({ number, reason }) => `line ${number} (${reason})`);
  const more = damaged.length > MAX_LISTED ? ` and ${damaged.length - MAX_LISTED} more` : "";
  const remedy =
    "Correct or remove these lines. If you leave them, the server keeps them in a file beside the store and goes on without them.";
  return [failed(name, `${JSON.stringify(path)} has damaged lines: ${listed.join(", ")}${more}.`, remedy)];
}

function checkKeyFile(path: string): Check {
  const name = "embeddings-key-file";
  const check = checkFile(name, path);
  if (!check.ok || platform === "win32" || (statSync(path).mode & 0o077) === 0) return check;
  return failed(name, `Other users of this machine may access ${JSON.stringify(path)}.`, `Make it private: chmod 600 ${path}`);
}
