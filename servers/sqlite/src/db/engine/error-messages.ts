// What went wrong, in words that help: the nearest names for wrong ones, and what to do about the rest.
import type Database from "better-sqlite3";
import { DbError, shown } from "../errors.ts";
import { tokensOf } from "../sql/tokens.ts";
import { nearest } from "../near-names.ts";
import { BUSY, codeOf } from "./lock-retry.ts";
import { columnNamesOf, namesOf, ownTablesOf } from "../schema/schema-pragmas.ts";

/** An error of the engine as one for the caller; any other one as it is. */
export function explained(error: unknown, sql: string, db: Database.Database | undefined): unknown {
  if (error instanceof DbError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  // better-sqlite3 tells so what it finds before SQLite is asked.
  if (code === "" && (error instanceof RangeError || error instanceof TypeError) && !/^Cannot |is not /.test(error.message))
    return new DbError("sql", error.message);
  const told = SYSTEM[code];
  if (told !== undefined) return new DbError(...told);
  if (!code.startsWith("SQLITE_")) return error;
  const known = KNOWN.find(([start]) => code.startsWith(start));
  if (known !== undefined) return new DbError(known[1], known[2]);
  return new DbError("sql", `${message(error)}${db === undefined ? "" : hint(error.message, sql, db)}`);
}

/** What the system says of files that are read and written besides the database. */
const SYSTEM: Readonly<Record<string, readonly [kind: DbError["code"], message: string]>> = {
  ENOSPC: ["too-large", "There is no room for the file: the disk is full. Nothing was written"],
  EDQUOT: ["too-large", "There is no room for the file: the quota of the disk is used up. Nothing was written"],
  EACCES: ["read-only", "The system does not let the file, or its folder, be used so"],
  EPERM: ["read-only", "The system does not let the file, or its folder, be used so"],
  EROFS: ["read-only", "The folder is on a disk that may not be written to"],
  ENOENT: ["not-found", "The file, or its folder, is not there any more"],
};

const KNOWN: readonly (readonly [code: string, kind: DbError["code"], message: string])[] = [
  ["SQLITE_BUSY", "busy", BUSY],
  // One connection has no other beside it in its process: it is a virtual table that cannot be read and changed at a time.
  [
    "SQLITE_LOCKED",
    "sql",
    "The statement reads a table while it changes it, which this kind of table does not take. Nothing was changed; read what it needs first, and change the table with another statement",
  ],
  ["SQLITE_TOOBIG", "too-large", "A value, or the statement, is larger than SQLite takes. Select parts of it (substr, LIMIT)"],
  ["SQLITE_NOMEM", "too-large", "A value in between needs more memory than a statement may have. Select parts of it (substr, LIMIT)"],
  ["SQLITE_NOTADB", "damaged", "The file is not a SQLite database, or it is encrypted"],
  ["SQLITE_CORRUPT", "damaged", "The database file is damaged: check_database tells more; restore it from a copy"],
  [
    "SQLITE_FULL",
    "too-large",
    "There is no room: the disk is full, or sorting needs more space than a statement may have. Nothing was changed",
  ],
  [
    "SQLITE_READONLY_ROLLBACK",
    "recover",
    "A program was killed while it changed the database. The next one that may write sets it right: start the server with --read-write",
  ],
  [
    "SQLITE_READONLY_RECOVERY",
    "recover",
    "A program was killed while it changed the database. The next one that may write sets it right: start the server with --read-write",
  ],
  [
    "SQLITE_READONLY_CANTINIT",
    "recover",
    "The database is in WAL mode, and what belongs to it beside the file cannot be made. Start the server with --read-write, or give it write access to the folder",
  ],
  [
    "SQLITE_READONLY_DIRECTORY",
    "read-only",
    "SQLite keeps files of its own beside the database, in WAL mode also to read it, and the folder may not be written to",
  ],
  ["SQLITE_READONLY", "read-only", "The database, or its folder, may not be written to"],
  [
    "SQLITE_CANTOPEN",
    "read-only",
    "The database cannot be opened: the file, or what belongs to it beside it, is missing or may not be touched",
  ],
  ["SQLITE_PERM", "read-only", "The system does not let the database be opened"],
  ["SQLITE_IOERR", "damaged", "The disk does not do what it should. Nothing was changed"],
  ["SQLITE_INTERRUPT", "timeout", "The statement was stopped"],
];

function message({ message: text }: Error): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** Looking for names must not fail in turn: the schema itself may be what is broken. */
function hint(text: string, sql: string, db: Database.Database): string {
  try {
    return hintFor(text, sql, db);
  } catch {
    return "";
  }
}

function hintFor(text: string, sql: string, db: Database.Database): string {
  const [, kind, full = ""] =
    /^no such (table|view|column|function|index|trigger): (.+)$/s.exec(text) ?? /^table .* has no (column) named (.+)$/s.exec(text) ?? [];
  const name =
    full
      .replace(/ - should this be.*$/, "")
      .split(".")
      .at(-1) ?? "";
  if (kind === undefined || text.includes("should this be")) return "";
  const names =
    kind === "column"
      ? columnsIn(sql, db)
      : kind === "table" || kind === "view"
        ? ownTablesOf(db).map((table) => table.name)
        : kind === "function"
          ? namesOf(db, "function_list")
          : [];
  const near = nearest(name, names).map(shown);
  if (near.length > 0) return `; did you mean ${near.join(" or ")}?`;
  if (kind === "column" && names.length > 0) return `; the columns are ${names.slice(0, 20).map(shown).join(", ")}`;
  return kind === "table" ? "; list_tables tells which there are" : "";
}

/** The columns of the tables that the statement names. */
function columnsIn(sql: string, db: Database.Database): string[] {
  const words = new Set(tokensOf(sql).map(({ value }) => value.toLowerCase()));
  const tables = ownTablesOf(db).filter(({ name }) => words.has(name.toLowerCase()));
  return [...new Set(tables.slice(0, 20).flatMap(({ name }) => columnNamesOf(db, name)))];
}
