// Errors that a domain reports to the caller of a tool.

/**
 * An error whose message is meant for the caller: it names the thing, what was expected and the next step. The server kit sends the
 * message of an error with `expose: true` to the model and hides every other one, so the message must not tell anything about places
 * that the caller may not see. Each domain has a subclass with codes of its own.
 */
export class DomainError<Code extends string = string> extends Error {
  /** Subclasses give their own: the name of a class does not survive minified bundles. */
  override readonly name: string = "DomainError";
  readonly expose = true;
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** The code of an error of the operating system or of SQLite, such as "ENOENT" or "SQLITE_BUSY"; undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
