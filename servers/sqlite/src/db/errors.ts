// Errors of the database layer.
import { DomainError } from "@oarlock/domain-kit";

export type DbErrorCode =
  /** The statement or argument is not allowed or not valid. */
  | "refused"
  /** Another program holds a lock. */
  | "busy"
  | "timeout"
  | "too-large"
  | "not-found"
  | "damaged"
  /** The file is not a database, or the disk cannot read it. */
  | "unreadable"
  | "read-only"
  /** The statement would change data, and the call only reads. */
  | "would-change"
  /** The database needs a connection that may write before it can be read. */
  | "needs-recovery"
  /** The database process ended during the request. */
  | "crashed"
  /** SQLite reported an error in the statement. */
  | "sql"
  /** The server is shutting down. */
  | "closed";

/** An error whose message tells the caller what to do. */
export class DbError extends DomainError<DbErrorCode> {
  override readonly name = "DbError";
}

export const refusal = (message: string): DbError => new DbError("refused", message);
