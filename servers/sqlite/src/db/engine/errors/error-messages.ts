// Errors of SQLite and the operating system as messages with a next step; for wrong names, with the nearest ones.
import type Database from "better-sqlite3";
import { clip, nearestNames, systemErrorCode } from "@oarlock/domain-kit";
import { DbError, type DbErrorCode } from "../../errors.ts";
import { columnNamesOf, columnsOrError, featureNames } from "../../schema/schema-pragmas.ts";
import { tableNamed, userTables } from "../../schema/table-list.ts";
import { withoutFence } from "../../sql/statement.ts";
import { isName, isWord, tokensOf, type Token } from "../../sql/tokens.ts";
import { ambiguityHint } from "./ambiguous-columns.ts";
import { DENIED_COLUMN, deniedTable } from "../connection.ts";
import { dialectHint } from "./dialect-hints.ts";
import { explainFullTextError } from "./full-text-errors.ts";
import { BUSY_MESSAGE } from "../lock-retry.ts";
import { explainMissingPart } from "./missing-part-errors.ts";
import { schemaTextError } from "./quoted-text-errors.ts";

const MAX_MESSAGE_LENGTH = 500;

/** Returns a {@link DbError} for an error that the caller can do something about, and every other error unchanged. */
export function explainError(error: unknown, sql: string, db: Database.Database | undefined): unknown {
  if (error instanceof DbError || !(error instanceof Error)) return error;
  const code = systemErrorCode(error) ?? "";
  if (code === "" && isDriverComplaint(error)) return new DbError("sql", error.message);
  const known = KNOWN_ERRORS.find(([prefix]) => code.startsWith(prefix));
  if (known !== undefined) return new DbError(known[1], known[2]);
  if (!code.startsWith("SQLITE_")) return error;
  return new DbError("sql", db === undefined ? clip(error.message, MAX_MESSAGE_LENGTH) : explainSqlError(error.message, sql, db));
}

/** The search for reasons and names must not fail in turn: the schema itself may be damaged. */
function explainSqlError(message: string, sql: string, db: Database.Database): string {
  const clipped = clip(message, MAX_MESSAGE_LENGTH);
  try {
    const statement = withoutFence(sql);
    const tokens = tokensOf(statement);
    const denied = deniedTableOf(message, tokens, db);
    if (denied !== undefined) return deniedTable(denied).message;
    const inSchema = schemaTextError(message, statement, tokens, db);
    if (inSchema !== undefined) return inSchema;
    const hint =
      changeHint(message, tokens) ||
      dialectHint(message, statement, tokens, db) ||
      ambiguityHint(message, tokens, db) ||
      suggestNames(message, tokens, db);
    return explainFullTextError(message, tokens, db) ?? explainMissingPart(message, tokens, db) ?? `${clipped}${hint}`;
  } catch {
    return clipped;
  }
}

/** A table that was taken away has none of the columns that the statement names. */
function deniedTableOf(message: string, tokens: readonly Token[], db: Database.Database): string | undefined {
  if (!message.startsWith("no such column")) return undefined;
  const sources = tokens.filter((token, index) => isName(token) && ["FROM", "JOIN"].some((word) => isWord(tokens[index - 1], word)));
  const isDenied = (name: string): boolean =>
    columnsOrError(db, name).columns[0]?.name === DENIED_COLUMN && tableNamed(db, name) === undefined;
  return sources.find(({ value }) => isDenied(value))?.value;
}

/** A column's type cannot be changed as in other databases. */
function changeHint(message: string, tokens: readonly Token[]): string {
  const isAlterTable = isWord(tokens[0], "ALTER") && isWord(tokens[1], "TABLE");
  const changesColumn = tokens.some((token, index) => index > 2 && ["ALTER", "MODIFY", "CHANGE"].some((word) => isWord(token, word)));
  return /syntax error/.test(message) && isAlterTable && changesColumn ? NO_COLUMN_CHANGE : "";
}

const NO_COLUMN_CHANGE =
  ". SQLite cannot change the type or default of a column: in one run_transaction, ADD COLUMN with the new definition, UPDATE to copy the values (CAST), DROP COLUMN the old one, and RENAME COLUMN the new one.";

/** What better-sqlite3 itself finds wrong with the call, before SQLite is asked; not the errors of faulty code. */
const isDriverComplaint = (error: Error): boolean =>
  (error instanceof RangeError || error instanceof TypeError) && !/^Cannot |is not /.test(error.message);

const NO_ACCESS = "Access denied: the operating system does not allow this use of the file or its folder. Check their permissions.";
const INTERRUPTED_CHANGE =
  "A program was killed while it changed the database, and only a connection that may write can roll that back. Start the server with --read-write.";

/** The first matching prefix of a code counts. */
const KNOWN_ERRORS: readonly (readonly [prefix: string, code: DbErrorCode, message: string])[] = [
  ["ENOSPC", "too-large", "There is no room for the file: the disk is full. Nothing was written. Free some space."],
  ["EDQUOT", "too-large", "There is no room for the file: the disk quota is used up. Nothing was written. Free some space."],
  ["EACCES", "read-only", NO_ACCESS],
  ["EPERM", "read-only", NO_ACCESS],
  ["EROFS", "read-only", "The folder is on a read-only disk. Choose another folder."],
  ["ENOENT", "not-found", "The file or its folder no longer exists. Check the path."],
  ["SQLITE_BUSY", "busy", BUSY_MESSAGE],
  // A database process has one connection, so no other one locks it: a virtual table cannot be read and changed at the same time.
  [
    "SQLITE_LOCKED",
    "sql",
    "The statement reads a table while it changes it, which virtual tables do not allow. Nothing was changed. Read first, and change the table with another statement.",
  ],
  ["SQLITE_TOOBIG", "too-large", "A value or the statement is larger than SQLite allows. Select parts of it (substr, LIMIT)."],
  ["SQLITE_NOMEM", "too-large", "The statement needs more memory than it may use. Select parts of it (substr, LIMIT)."],
  ["SQLITE_NOTADB", "unreadable", "The file is not a SQLite database, or it is encrypted. Name another file."],
  [
    "SQLITE_CORRUPT_VTAB",
    "unreadable",
    "The full-text or other virtual table is damaged. Use check_database for details; the rest of the database works.",
  ],
  ["SQLITE_CORRUPT", "damaged", "The database file is damaged. Use check_database for details, and restore the file from a copy."],
  [
    "SQLITE_FULL",
    "too-large",
    "There is no room: the disk is full, or sorting needs more space than a statement may use. Nothing was changed. Free some space or ask for less.",
  ],
  ["SQLITE_READONLY_ROLLBACK", "needs-recovery", INTERRUPTED_CHANGE],
  ["SQLITE_READONLY_RECOVERY", "needs-recovery", INTERRUPTED_CHANGE],
  [
    "SQLITE_READONLY_CANTINIT",
    "needs-recovery",
    "The database is in WAL mode, and its files beside it cannot be created. Start the server with --read-write, or allow it to write to the folder.",
  ],
  [
    "SQLITE_READONLY_DIRECTORY",
    "read-only",
    "SQLite keeps files beside the database, in WAL mode also to read it, but the folder may not be written to. Allow the server to write to the folder.",
  ],
  ["SQLITE_READONLY", "read-only", "The database or its folder may not be written to. Check their permissions."],
  [
    "SQLITE_CANTOPEN",
    "read-only",
    "The database cannot be opened: the file, or one of SQLite's files beside it, is missing or may not be used. Check their permissions.",
  ],
  ["SQLITE_PERM", "read-only", "The operating system does not allow the database to be opened. Check its permissions."],
  ["SQLITE_IOERR", "unreadable", "The disk reported an error. Nothing was changed. Check the disk."],
  ["SQLITE_INTERRUPT", "timeout", "The statement was stopped. Try again."],
];

function suggestNames(message: string, tokens: readonly Token[], db: Database.Database): string {
  const [, kind, qualified = ""] =
    /^no such (table|view|column|function|index|trigger): (.+)$/s.exec(message) ??
    /^table .* has no (column) named (.+)$/s.exec(message) ??
    [];
  const [, filled] = /^table (.+) has \d+ columns but \d+ values? w(?:as|ere) supplied$/s.exec(message) ?? [];
  if (filled !== undefined) return `; name those that get a value: INSERT INTO ${clip(filled, 80)} (${listOf(columnNamesOf(db, filled))})`;
  // For a text in double quotes, SQLite itself suggests single quotes.
  if (kind === undefined || message.includes("should this be")) return "";
  const wrong = qualified.split(".").at(-1) ?? "";
  const known = knownNames(kind, tokens, db);
  const near = nearestNames(wrong, known).map((name) => clip(name, 80));
  if (near.length > 0) return `; did you mean ${near.join(" or ")}?`;
  if (kind === "column" && known.length > 0) {
    return `; the columns are ${listOf(known)}`;
  }
  return kind === "table" ? "; use list_tables to find its name" : "";
}

const listOf = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => clip(name, 80))
    .join(", ");

function knownNames(kind: string, tokens: readonly Token[], db: Database.Database): string[] {
  if (kind === "column") return columnsInStatement(tokens, db);
  if (kind === "table" || kind === "view") return userTables(db).map(({ name }) => name);
  return kind === "function" ? featureNames(db, "function_list") : [];
}

/** Columns of the tables that the statement names. */
function columnsInStatement(tokens: readonly Token[], db: Database.Database): string[] {
  const words = new Set(tokens.map(({ value }) => value.toLowerCase()));
  const tables = userTables(db).filter(({ name }) => words.has(name.toLowerCase()));
  return [...new Set(tables.slice(0, 20).flatMap(({ name }) => columnNamesOf(db, name)))];
}
