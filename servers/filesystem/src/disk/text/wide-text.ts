// Recognizes UTF-16 without a byte order mark: a NUL in nearly every second byte, and nothing that a text does not have.
import { isAscii, isUtf8 } from "node:buffer";
import { withoutDividedCharacter } from "./utf8-damage.ts";

const SAMPLE_BYTES = 64 * 1024;
/** A part of the characters that must be Latin letters, digits, blanks or line ends. */
const MIN_LATIN = 0.1;
/** A shorter text may be anything. */
const MIN_BYTES = 4;
/** Control characters other than tab, line ends and form feed, and code points without a character. */
// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cn}|\p{Co}/u;

export function wideEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length & ~1));
  if (sample.length < MIN_BYTES || (bytes.length % 2 === 1 && bytes.length < SAMPLE_BYTES) || !sample.includes(0)) return undefined;
  if (isUtf8BeyondAscii(sample)) return undefined;
  let [even, odd, ascii] = [0, 0, 0];
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
    if (isPrintable(sample[at]) && isPrintable(sample[at + 1])) ascii += 1;
  }
  const [most, least] = [Math.max(even, odd), Math.min(even, odd)];
  // A character may have a zero as its other byte too; pairs of ASCII are those of another text.
  if (least * 4 > most || ascii > most || most < (MIN_LATIN * sample.length) / 2) return undefined;
  const isBigEndian = even > odd;
  const text = isBigEndian ? Buffer.from(sample).swap16().toString("utf16le") : sample.toString("utf16le");
  // The sample may end inside a surrogate pair.
  const complete = text.replace(/[\ud800-\udbff]$/, "");
  if (!complete.isWellFormed() || NO_TEXT.test(complete)) return undefined;
  return isBigEndian ? "utf-16be" : "utf-16le";
}

/** Letters beyond ASCII in UTF-16 are hardly ever valid UTF-8 by chance, so a text that is has NULs of its own. */
function isUtf8BeyondAscii(sample: Buffer): boolean {
  return !isAscii(sample) && isUtf8(withoutDividedCharacter(sample));
}

const isPrintable = (byte = 0): boolean => byte >= 0x20 && byte < 0x7f;
