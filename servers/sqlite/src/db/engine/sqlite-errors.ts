// Kinds of SQLite errors, by their codes: https://sqlite.org/rescode.html
import { systemErrorCode } from "@oarlock/domain-kit";

const hasCode = (error: unknown, prefix: string): boolean => systemErrorCode(error)?.startsWith(prefix) === true;

/** Not SQLITE_LOCKED: there the statement blocks itself, and waiting does not help. */
export const isBusy = (error: unknown): boolean => hasCode(error, "SQLITE_BUSY");

export const isDamage = (error: unknown): error is Error => hasCode(error, "SQLITE_CORRUPT");

export const isNotADatabase = (error: unknown): boolean => hasCode(error, "SQLITE_NOTADB");

export const isCannotOpen = (error: unknown): boolean => hasCode(error, "SQLITE_CANTOPEN");

/** SQLite's general error: a name or a collation that does not exist, a constraint on the schema … */
export const isSqlError = (error: unknown): error is Error => hasCode(error, "SQLITE_ERROR");

/** The error concerns one object of the database (a missing name, damage); the other objects can still be read. */
export const isObjectError = (error: unknown): error is Error => isSqlError(error) || isDamage(error);
