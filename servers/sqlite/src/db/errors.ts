// What can go wrong with a database, in words for whoever asked.

export type DbErrorCode =
  | "refused"
  | "busy"
  | "timeout"
  | "too-large"
  | "not-found"
  | "damaged"
  | "read-only"
  | "recover"
  | "ended"
  | "sql"
  | "gone";

/** A failure that the caller can do something about; the message says what. */
export class DbError extends Error {
  readonly expose = true;
  readonly code: DbErrorCode;

  constructor(code: DbErrorCode, message: string) {
    super(message);
    this.name = "DbError";
    this.code = code;
  }
}

export const refused = (message: string): DbError => new DbError("refused", message);

/** Names from outside, short enough for a message and on one line. */
export function shown(name: string): string {
  const text = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return text.slice(1, -1);
}
