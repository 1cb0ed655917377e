// What goes wrong here, in words that the caller may read: what was expected, what came, what to do. No path of the machine but
// those that the operator configured or the caller gave.

export type GitErrorCode =
  | "denied"
  | "not-a-repository"
  | "invalid"
  | "not-found"
  | "unsafe"
  | "conflict"
  | "locked"
  | "git-missing"
  | "too-large"
  | "failed";

export class GitError extends Error {
  override readonly name = "GitError";
  readonly expose = true;
  readonly code: GitErrorCode;

  constructor(code: GitErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const CLIP = 200;

/** Text as given, on one line and short enough to be repeated in a message. */
export function clip(given: string, length: number = CLIP): string {
  const short = given.length > length ? `${given.slice(0, length)}…` : given;
  // A control character in an echoed name could draw a second, false line in a reply or a log.
  // eslint-disable-next-line no-control-regex
  return short.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c.charCodeAt(0) < 256 ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The code of an error of the operating system, such as "ENOENT". */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
