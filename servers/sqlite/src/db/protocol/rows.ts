// Rows of a reply: their limits, their formats, and what a request for rows is answered with.
export interface Column {
  readonly name: string;
  /** Null for an expression. */
  readonly declaredType: string | null;
}

export interface RowLimits {
  readonly maxRows: number;
  /** Bytes of all rows, counted as arrays and as the text block together. */
  readonly maxBytes: number;
  /** Bytes of the text block. Default: only `maxBytes` counts. */
  readonly maxTextBlockBytes?: number;
  /** Longer texts are truncated to this many UTF-16 units. */
  readonly maxTextLength: number;
  /** Longer BLOBs are truncated to this many bytes. */
  readonly maxBlobBytes: number;
  /**
   * Leaves out a row larger than `maxBytes` even where it is the first. Default: a first row is sent whatever its size, and the kit's
   * limit on replies reports it. Not for statements that have changed something: the change must not be reported as an error.
   */
  readonly omitOversizedRow?: boolean;
}

/** A truncated value. */
export interface ClippedValue {
  readonly row: number;
  readonly column: string;
  /** Full length: UTF-16 units of a text, bytes of a BLOB and of a text that was not read to its end. */
  readonly length: number;
}

/** Formats of the text block of a reply with rows. */
export const FORMATS = ["json", "csv", "markdown"] as const;
export type Format = (typeof FORMATS)[number];

/** A part of the key of a row. JSON has no 64-bit integers, BLOBs and infinities. */
export type KeyValue = null | number | string | { readonly integer: string } | { readonly base64: string } | { readonly real: string };

/** The rows themselves come in frames of their own, before this reply. */
export interface RowsReply {
  /** Columns as JSON text, which goes into the reply unchanged. */
  readonly columns: string;
  readonly rowCount: number;
  readonly hasMore: boolean;
  readonly clipped: readonly ClippedValue[];
  /** Version of the data: differs after a change. Empty where no further page can follow. */
  readonly dataVersion: string;
  readonly elapsedMs: number;
  /** Names in double quotes that were taken as texts. */
  readonly texts?: readonly string[] | undefined;
  /** A collation of the program that made the database: the rows are sorted by NOCASE in its place. */
  readonly missingCollation?: string | undefined;
  /** It has NOT IN with a list that holds a NULL, which is never true, and gave no row, or one of totals. */
  readonly hasNullInList?: boolean | undefined;
  /** What SQLite runs otherwise than most databases, a sentence each. */
  readonly slips?: readonly string[] | undefined;
  /** Where there are several statements: the results of all, in place of the rows. */
  readonly statements?: readonly StatementResult[];
  /** The key after which the next page begins. Undefined: the next page skips the rows of this one. */
  readonly lastKey?: readonly KeyValue[] | undefined;
}

/** Rows of a reply, encoded by the process. Empty where the request has none. */
export interface EncodedRows {
  /** Rows as JSON arrays, without the brackets around the list. */
  readonly arrays: string;
  /** The same in the requested format, escaped for a JSON string. Empty where there are `objects`. */
  readonly text: string;
  /** Few rows as JSON objects, escaped for a JSON string. */
  readonly objects: string | undefined;
  /** A value contains U+FFFD, which the driver puts in place of invalid text. */
  readonly hasReplacementCharacter: boolean;
}

/** The rows of one statement in a reply with those of several. */
export interface StatementRows extends Pick<
  RowsReply,
  "columns" | "rowCount" | "hasMore" | "clipped" | "texts" | "missingCollation" | "hasNullInList" | "slips"
> {
  readonly encoded: EncodedRows;
}

/** What one of several statements gave. */
export type StatementResult = StatementRows | { readonly error: string };
