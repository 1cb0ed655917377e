// Checks of `oarlock-sqlite doctor`: the driver, the databases and the files beside them.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { checkDatabase, checkFile, checkFolder, failed, passed, type Check, type OpenDatabase } from "@oarlock/cli/doctor";
import type Driver from "better-sqlite3";
import { checkDatabaseFile } from "./db/database-file.ts";
import { DbError } from "./db/errors.ts";
import { describeMissing, requestedFiles, type CommandLine, type RequestedFile } from "./served-files.ts";

export interface CheckedOptions extends CommandLine {
  readonly queries: string | undefined;
  readonly filesDir: string | undefined;
}

/** Nothing is changed on disk. */
export function checkMachine(options: CheckedOptions): Check[] {
  const { queries, filesDir, readOnly } = options;
  return [
    checkDriver(),
    ...requestedFiles(options).flatMap((requested) => checkServed(requested, options.lockdown)),
    ...(queries === undefined ? [] : [checkFile("queries", queries)]),
    ...(filesDir === undefined ? [] : [checkFolder("files-dir", filesDir, { write: !readOnly })]),
  ];
}

function checkServed(requested: RequestedFile, lockdown: boolean | undefined): Check[] {
  const { path, write, create } = requested;
  const name = "database";
  const file = resolve(path);
  try {
    if (checkDatabaseFile(file, path, lockdown) === undefined && !create) {
      const { problem, remedy } = describeMissing(requested);
      return [failed(name, problem, remedy)];
    }
  } catch (error) {
    if (error instanceof DbError && /link|-wal|-shm|-journal|wal beside|shm beside|journal beside|blank|lockdown/.test(error.message))
      return [failed(name, error.message, "Do what this says, or name another database.")];
  }
  return checkDatabase(openDatabase, { name, file, write, mayBeMissing: create });
}

/** Here it is a short-lived process, so the driver is loaded without a process of its own. */
const openDatabase: OpenDatabase = (source, options) => {
  const Database = createRequire(import.meta.url)("better-sqlite3") as typeof Driver; // as its own types declare
  return new Database(source, options);
};

function checkDriver(): Check {
  try {
    const memory = openDatabase(":memory:", { readonly: false, timeout: 0 });
    memory.close();
    return passed("driver", "The SQLite driver can be loaded.");
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    return failed("driver", `The SQLite driver cannot be loaded: ${reason}`, "Install it again for this Node: npm rebuild better-sqlite3");
  }
}
