// Opens a connection that is safe with SQL and files from strangers.
import Database from "better-sqlite3";
import { checkDatabaseFile } from "../database-file.ts";
import { DbError, refusal } from "../errors.ts";
import { DENIED_FUNCTIONS, DENIED_TABLES, READABLE_MODULES, READING_PRAGMAS } from "../policy/allowed-features.ts";
import { hasLogOfOtherFile, staleLogError } from "../stale-log.ts";
import { featureNames } from "../schema/schema-pragmas.ts";

export interface ConnectionOptions {
  readonly file: string;
  /** The name of the database in messages. */
  readonly label: string;
  readonly write: boolean;
  /** Creates the file if there is none. Default false. */
  readonly create?: boolean;
  /** Files of other owners are refused. Default false. */
  readonly lockdown?: boolean;
}

/** How long SQLite itself waits for a lock, in milliseconds; `retryWhileBusy` waits longer. Random, so that processes differ. */
const BUSY_TIMEOUT_MS = 40 + Math.floor(Math.random() * 60);

/**
 * @param ownModules Modules of virtual tables for statements of the server itself. Given for a further connection of this process: the log
 * was looked at for the first one, and doing so again would release its locks.
 */
export function openConnection(
  { file, label, write, create = false, lockdown }: ConnectionOptions,
  ownModules?: readonly string[],
): Database.Database {
  const stat = checkDatabaseFile(file, label, lockdown);
  // A database that was removed is not replaced by an empty one.
  if (stat === undefined && !create)
    throw new DbError(
      write ? "not-found" : "needs-recovery",
      `${label} does not exist. Restore its file, or start the server with --db-path FILE to create a database.`,
    );
  if (stat !== undefined && ownModules === undefined && hasLogOfOtherFile(file)) throw staleLogError(label);
  const db = openFile(file, write, create);
  try {
    denyFeatures(db, ownModules ?? []);
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    if (write) {
      db.pragma("foreign_keys = ON");
      // SQLite's own default. better-sqlite3 is built with NORMAL for WAL, which loses the last commits when the power fails.
      db.pragma("synchronous = FULL");
    } else db.pragma("query_only = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openFile(file: string, write: boolean, create: boolean): Database.Database {
  try {
    return new Database(file, { readonly: !write, fileMustExist: !create, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    // better-sqlite3 throws a TypeError where the folder is missing.
    if (error instanceof TypeError) throw new DbError("not-found", "The folder of the database no longer exists. Restore it.");
    throw error;
  }
}

/** Replaces what is not allowed in the engine itself, so that views and triggers of a hostile file do not reach it either. */
/** Also for a copy in memory, whose content comes from the file. */
export function denyFeatures(db: Database.Database, allowedModules: readonly string[]): void {
  const modules = featureNames(db, "module_list").filter(
    (name) => !READABLE_MODULES.has(name) && !name.startsWith("pragma_") && !allowedModules.includes(name),
  );
  const pragmas = featureNames(db, "pragma_list").filter((name) => !READING_PRAGMAS.has(name));
  for (const name of [...modules, ...pragmas.map((pragma) => `pragma_${pragma}`), ...DENIED_TABLES]) denyTable(db, name);
  for (const [name, argumentCounts] of DENIED_FUNCTIONS) for (const count of argumentCounts) denyFunction(db, name, count);
}

/** The refusal of a table that {@link openConnection} takes away. */
export const deniedTable = (name: string): DbError =>
  refusal(
    name.toLowerCase() === "dbstat"
      ? `The table ${name} is not allowed. check_database with checks ["size"] has the sizes of tables and indexes.`
      : `The table ${name} is not allowed: it reads more than this database.`,
  );

/** The only column of such a table. */
export const DENIED_COLUMN = "denied";

function denyTable(db: Database.Database, name: string): void {
  db.table(name, {
    columns: [DENIED_COLUMN],
    *rows() {
      yield* [];
      throw deniedTable(name);
    },
  });
}

function denyFunction(db: Database.Database, name: string, argumentCount: number): void {
  const refuse = (): never => {
    throw refusal(`The function ${name} is not allowed: it loads code or reveals memory addresses.`);
  };
  // better-sqlite3 reads the count of arguments from `length`.
  const withArguments = [refuse, (_one: unknown) => refuse(), (_one: unknown, _two: unknown) => refuse()][argumentCount];
  if (withArguments === undefined) db.function(name, { varargs: true, directOnly: true }, refuse);
  else db.function(name, { directOnly: true }, withArguments);
}
