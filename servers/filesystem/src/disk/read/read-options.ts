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
  readonly column?: number | undefined;
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

/** Refuses numbers that count nothing, and parts that exclude each other. */
export function checkOptions(options: ReadOptions): void {
  for (const name of ["head", "tail", "offset", "limit", "column"] as const) {
    const value = options[name];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) {
      throw new DiskError("invalid", `${name} must be a whole number of at least 1, but is ${value}.`);
    }
  }
  if (options.head !== undefined && options.tail !== undefined) {
    throw new DiskError("invalid", "Cannot specify both head and tail parameters simultaneously");
  }
  if ((options.head ?? options.tail) !== undefined && (options.offset ?? options.limit ?? options.column) !== undefined) {
    throw new DiskError("invalid", "Cannot combine head or tail with offset and limit. Use one of the two.");
  }
}

/** Whether the call names a part of the file. */
export const isPart = (options: ReadOptions) =>
  (options.head ?? options.tail ?? options.offset ?? options.limit ?? options.column) !== undefined;
