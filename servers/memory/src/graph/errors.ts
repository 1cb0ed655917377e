// What the graph says when it will not or cannot do something. The kit shows the message of an error with `expose: true` to
// the model, so it says what was expected, what came and what to do.

export type GraphErrorCode = "invalid" | "not-found" | "busy" | "full" | "read-only" | "damaged" | "moved" | "io";

export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly expose = true;
  readonly code: GraphErrorCode;

  constructor(code: GraphErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const CLIP = 200;

/** A name or text as given, on one line and short enough to be repeated in a message. */
export function clip(given: string, length: number = CLIP): string {
  // A control character in an echoed name could draw a second, false line in a reply or a log, and a direction mark reorder this one.
  // eslint-disable-next-line no-control-regex
  const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
  return beginOf(given, length).replace(unsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As it stands, but no longer than that. */
export const beginOf = (text: string, length: number): string =>
  text.length > length ? `${wholeCharacters(text.slice(0, length))}…` : text;

/** The begin of a text, without the half of a character that it may end with. */
export const wholeCharacters = (begin: string): string => begin.replace(/[\ud800-\udbff]$/, "");

/** The code of an error of the operating system or of SQLite, such as "ENOENT" or "SQLITE_BUSY". */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error));

/** An error of SQLite or of the operating system in words; anything else as it is. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return fromSqlite(error);
  return new GraphError("io", `The files of the memory cannot be used (${codeOf(error)}): is the disk there, and may they be written?`);
}

/** An error of SQLite in words; anything else as it is. */
export function fromSqlite(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof GraphError || !code.startsWith("SQLITE_")) return error;
  if (isBusy(error))
    return new GraphError(
      "busy",
      "The memory is busy: another process holds its lock (database is locked). Nothing was changed; try again.",
    );
  if (code.startsWith("SQLITE_FULL"))
    return new GraphError("full", "No space is left on the disk of the memory. Nothing was changed; make room and try again.");
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM")
    return new GraphError("read-only", `The memory cannot be written (${code}): its file or folder is read-only. Nothing was changed.`);
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return new GraphError("damaged", `The memory's database is damaged (${code}). Run oarlock-memory verify to see what can be read.`);
  if (code.startsWith("SQLITE_IOERR"))
    return new GraphError("io", `The disk of the memory reported an error (${code}). Nothing was changed.`);
  if (code === "SQLITE_TOOBIG") return new GraphError("invalid", "A text is too large to be stored. Nothing was changed.");
  return error;
}
