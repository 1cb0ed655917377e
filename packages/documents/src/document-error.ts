// Why a document cannot be read. The message is a sentence for the caller, and names no path.

export type DocumentErrorCode =
  /** Not a kind of document that is known here. */
  | "unknown-format"
  /** Not what its kind of document must be. */
  | "broken"
  | "encrypted"
  /** More than a bound permits: bytes, entries, memory or time. */
  | "too-large"
  /** The requested part or offset does not exist. */
  | "no-such-part";

export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const broken = (format: string, why: string): DocumentError => new DocumentError("broken", `Broken ${format} file: ${why}.`);
