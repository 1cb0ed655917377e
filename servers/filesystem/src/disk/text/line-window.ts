// Line windows: the bytes of the first or last lines of a text, within a bound. A single line over the bound is cut between two
// characters; otherwise a window has complete lines only.
import { afterNewline, afterNewlineBefore, withoutNewline } from "./lines.ts";
import { isOwnEncoding, unitOf, type Encoding } from "./encoding.ts";
import { decodeLegacy, encodeLegacy, type LegacyEncoding } from "./legacy-encoding.ts";

export interface Window {
  readonly from: number;
  readonly to: number;
  readonly lines: number;
  /** The bound of bytes, not the count of lines, ended the window. */
  readonly truncated: boolean;
  /** The only line in the window is not shown in full. */
  readonly cut: boolean;
}

/** The first lines of some bytes, up to a line that is longer than maxLineBytes. Unless the bytes reach the end of the file, they must be longer than maxBytes or have `count` lines. */
export function headWindow(bytes: Buffer, encoding: Encoding, count: number, maxBytes: number, maxLineBytes = maxBytes): Window {
  let to = 0;
  let lines = 0;
  while (lines < count && to < bytes.length) {
    const after = afterNewline(bytes, encoding, to);
    const end = after === -1 ? bytes.length : withoutNewline(bytes, encoding, after);
    if (end > maxBytes || end - to > maxLineBytes) {
      if (lines > 0) return { from: 0, to, lines, truncated: true, cut: false };
      return { from: 0, to: characterBefore(bytes, encoding, Math.min(maxBytes, maxLineBytes)), lines: 1, truncated: true, cut: true };
    }
    to = after === -1 ? bytes.length : after;
    lines += 1;
  }
  return { from: 0, to, lines, truncated: false, cut: false };
}

/** The last lines of some bytes; the mirror image of headWindow. */
export function tailWindow(bytes: Buffer, encoding: Encoding, count: number, maxBytes: number, maxLineBytes = maxBytes): Window {
  const to = bytes.length;
  let from = to;
  let lines = 0;
  while (lines < count && from > 0) {
    const end = withoutNewline(bytes, encoding, from);
    const start = Math.max(afterNewlineBefore(bytes, encoding, end), 0);
    if (to - start > maxBytes || end - start > maxLineBytes) {
      if (lines > 0) return { from, to, lines, truncated: true, cut: false };
      return { from: characterAfter(bytes, encoding, to - Math.min(maxBytes, maxLineBytes)), to, lines: 1, truncated: true, cut: true };
    }
    from = start;
    lines += 1;
  }
  return { from, to, lines, truncated: false, cut: false };
}

function isMiddle(bytes: Buffer, encoding: Encoding, at: number): boolean {
  if (at <= 0 || at >= bytes.length) return false;
  if (encoding === "utf-8") return ((bytes[at] ?? 0) & 0xc0) === 0x80;
  if (!isOwnEncoding(encoding)) return isMiddleOfLegacy(bytes, encoding, at);
  if (unitOf(encoding) === 1) return false;
  if ((at & 1) === 1) return true;
  // The second half of a surrogate pair.
  return ((bytes[encoding === "utf-16le" ? at + 1 : at] ?? 0) & 0xfc) === 0xdc;
}

/** Only the text from the start of the line tells whether a byte begins a character: what comes before its middle is not a text. */
function isMiddleOfLegacy(bytes: Buffer, encoding: LegacyEncoding, at: number): boolean {
  const before = bytes.subarray(Math.max(afterNewlineBefore(bytes, encoding, at), 0), at);
  return !encodeLegacy(decodeLegacy(before, encoding), encoding).equals(before);
}

/** The byte at which the character begins that this byte belongs to. At most three steps, because the bytes need not be valid. */
export function characterBefore(bytes: Buffer, encoding: Encoding, at: number): number {
  for (let back = 0; back < 4; back += 1) if (!isMiddle(bytes, encoding, at - back)) return at - back;
  return at;
}

function characterAfter(bytes: Buffer, encoding: Encoding, at: number): number {
  for (let on = 0; on < 4; on += 1) if (!isMiddle(bytes, encoding, at + on)) return at + on;
  return at;
}
