// How much room the rows of a reply have.
import type { RowLimits } from "../db/protocol/rows.ts";

/** Bytes of a reply that are kept for everything besides its rows. */
const OTHER_BYTES = 6000;

/** Bytes that the rows of a reply may take. */
export const rowBytes = (maxResultBytes: number): number => Math.max(1000, maxResultBytes - Math.min(OTHER_BYTES, maxResultBytes / 3));

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
