// A connection that is safe with SQL and files from strangers.
import Database from "better-sqlite3";
import { DbError } from "../errors.ts";
import { checkPlace } from "../database-file.ts";
import { namesOf } from "../schema/schema-pragmas.ts";
import { DENIED_FUNCTIONS, READING_PRAGMAS, TABLE_MODULES } from "../policy/allowed-features.ts";

export interface Place {
  readonly file: string;
  /** What it is called in messages. */
  readonly label: string;
  readonly write: boolean;
  /** The file is made where there is none. */
  readonly make?: boolean;
}

/** How long SQLite itself waits for a lock, in milliseconds; `patient` waits longer. Not the same in all processes. */
const WAIT_MS = 40 + Math.floor(Math.random() * 60);

export function openConnection({ file, label, write, make = false }: Place): Database.Database {
  const found = checkPlace(file, label);
  // Nothing is put in the place of a database that went away.
  if (found === undefined && !make)
    throw new DbError(
      write ? "not-found" : "recover",
      `${label} does not exist; put its file back, or start the server with --db-path FILE to make a database`,
    );
  const db = opened(file, write, make);
  try {
    deny(db);
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    if (write) {
      db.pragma("foreign_keys = ON");
      // SQLite's own default. better-sqlite3 is built with less for WAL, where the last changes then go with the power.
      db.pragma("synchronous = FULL");
    } else db.pragma("query_only = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function opened(file: string, write: boolean, make: boolean): Database.Database {
  try {
    return new Database(file, { readonly: !write, fileMustExist: !make, timeout: WAIT_MS });
  } catch (error) {
    // Told by better-sqlite3 itself, of a folder that is gone.
    if (error instanceof TypeError) throw new DbError("not-found", "The folder of the database does not exist any more");
    throw error;
  }
}

/** Takes away what is not on the lists, in the engine itself: whoever reaches it, by a view or a trigger, is refused. */
function deny(db: Database.Database): void {
  const modules = namesOf(db, "module_list").filter((name) => !TABLE_MODULES.has(name) && !name.startsWith("pragma_"));
  const pragmas = namesOf(db, "pragma_list").filter((name) => !READING_PRAGMAS.has(name));
  for (const name of [...modules, ...pragmas.map((pragma) => `pragma_${pragma}`)]) denyTable(db, name);
  for (const name of ["sqlite_dbpage", "sqlite_stmt", "bytecode", "tables_used", "sqlite_memstat", "csv", "fsdir", "zipfile"])
    denyTable(db, name);
  for (const [name, counts] of DENIED_FUNCTIONS) for (const count of counts) denyFunction(db, name, count);
}

function denyTable(db: Database.Database, name: string): void {
  db.table(name, {
    columns: ["denied"],
    *rows() {
      yield* [];
      throw new DbError("refused", `The table ${name} is not offered here`);
    },
  });
}

function denyFunction(db: Database.Database, name: string, count: number): void {
  const refuse = (): never => {
    throw new DbError("refused", `The function ${name} is not offered here`);
  };
  const takes = [refuse, (_one: unknown) => refuse(), (_one: unknown, _two: unknown) => refuse()][count];
  if (takes === undefined) db.function(name, { varargs: true, directOnly: true }, refuse);
  else db.function(name, { directOnly: true }, takes);
}
