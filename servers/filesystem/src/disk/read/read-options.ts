// The options of a read as text: which part of the file, and how much of it.
import { DiskError } from "../errors.ts";

export interface ReadOptions {
  /** Only the first lines. */
  readonly head?: number | undefined;
  /** Only the last lines. */
  readonly tail?: number | undefined;
  /** The first line to return, from 1. */
  readonly offset?: number | undefined;
  /** The number of lines from there. */
  readonly limit?: number | undefined;
  /** The first character to return of the line `offset`, from 1. */
  readonly startColumn?: number | undefined;
  /** The last character to return of the last line; without `limit` that is the line `offset`. */
  readonly endColumn?: number | undefined;
  /** The first byte to return, from 0. The character that it belongs to is returned whole. */
  readonly byteOffset?: number | undefined;
  /** The number of bytes from there. A character that does not fit is left to the next part. */
  readonly byteLimit?: number | undefined;
  /** The most bytes of one line: what is longer comes in parts. Default: maxBytes. */
  readonly maxLineBytes?: number | undefined;
  /** The lines will be numbered. For the last lines of a large file this means reading it from its start. */
  readonly numbered?: boolean | undefined;
  /** Used instead of the detected one. */
  readonly encoding?: string | undefined;
  /** The most bytes of the file in one result. Default 1,000,000. */
  readonly maxBytes?: number | undefined;
  /** The largest file that is read without naming a part. Default 256 MiB. */
  readonly maxWholeBytes?: number | undefined;
  /** The caller. Its signal is read only for large files, because a request makes it on first use. */
  readonly asker?: { readonly signal: AbortSignal } | undefined;
}

const ENDS = ["head", "tail"] as const;
const RANGE = ["offset", "limit", "startColumn", "endColumn"] as const;
const BYTES = ["byteOffset", "byteLimit"] as const;

/** Refuses numbers that count nothing, and parts that exclude each other. */
export function checkOptions(options: ReadOptions): void {
  for (const name of [...ENDS, ...RANGE, ...BYTES]) {
    const value = options[name];
    const least = name === "byteOffset" ? 0 : 1;
    if (value !== undefined && (!Number.isSafeInteger(value) || value < least)) {
      throw new DiskError("invalid", `${name} must be a whole number of at least ${least}, but is ${value}.`);
    }
  }
  if (options.head !== undefined && options.tail !== undefined) {
    throw new DiskError("invalid", "Cannot specify both head and tail parameters simultaneously");
  }
  if (hasAny(options, ENDS) && hasAny(options, RANGE)) {
    throw new DiskError("invalid", "Cannot combine head or tail with offset and limit. Use one of the two.");
  }
  if (isByteRange(options) && (hasAny(options, [...ENDS, ...RANGE]) || options.numbered === true)) {
    throw new DiskError("invalid", "Cannot combine byteOffset and byteLimit with lines, columns or line numbers. Use one of the two.");
  }
  const { startColumn = 1, endColumn = startColumn, limit = 1 } = options;
  if (limit === 1 && endColumn < startColumn) {
    throw new DiskError(
      "invalid",
      `endColumn ${endColumn} is before startColumn ${startColumn}. Both count from 1, and both are returned.`,
    );
  }
}

/** Whether the call names a part of the file by lines. */
export const isPart = (options: ReadOptions): boolean => hasAny(options, [...ENDS, ...RANGE]);

/** Whether that part is one of bytes. */
export const isByteRange = (options: ReadOptions): boolean => hasAny(options, BYTES);

const hasAny = (options: ReadOptions, names: readonly (keyof ReadOptions)[]): boolean => names.some((name) => options[name] !== undefined);
