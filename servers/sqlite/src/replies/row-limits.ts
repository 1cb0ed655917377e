// How much room the rows of a reply have.
import type { RowLimits } from "../db/protocol/rows.ts";

/** Bytes of a reply that are kept for everything besides its rows. */
const OTHER_BYTES = 6000;

/** Bytes that the rows of a reply may take. */
export const rowBytes = (maxResultBytes: number): number => Math.max(1000, maxResultBytes - Math.min(OTHER_BYTES, maxResultBytes / 3));

/** The text of a reply, unless the call asks for more: hosts cut longer ones, and the model loses the cursor with the rest. */
export const DEFAULT_TEXT_BYTES = 62_000;

/** The limits of a reply whose call asks for no number of rows. */
export function defaultRowLimits(maxResultBytes: number, maxRows: number, parts = 1): RowLimits {
  const limits = rowLimits(Math.floor(maxResultBytes / parts), maxRows);
  const maxTextBlockBytes = Math.max(1000, Math.floor(DEFAULT_TEXT_BYTES / parts));
  return { ...limits, maxTextBlockBytes, maxTextLength: Math.min(limits.maxTextLength, Math.floor(maxTextBlockBytes / 2)) };
}

/** A text may take a tenth of a reply and a BLOB a twentieth, so that one long value does not fill it. */
export function rowLimits(maxResultBytes: number, maxRows: number): RowLimits {
  const maxBytes = rowBytes(maxResultBytes);
  return {
    maxRows,
    maxBytes,
    maxTextLength: Math.max(100, Math.floor(maxBytes / 10)),
    maxBlobBytes: Math.min(4096, Math.max(32, Math.floor(maxBytes / 20))),
  };
}
