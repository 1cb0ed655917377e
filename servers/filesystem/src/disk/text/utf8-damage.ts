// UTF-8 with bytes that are not valid: a log that was cut inside a character, or one byte of another encoding. Each such byte is kept as a
// half of a surrogate pair (U+DC80 to U+DCFF, as in Python's surrogateescape), which no valid text has, so an edit loses none.

import { isUtf8 } from "node:buffer";

const KEPT = 0xdc00;

export interface Utf8Scan {
  /** Valid characters of more than one byte. */
  readonly characters: number;
  readonly invalid: number;
  /** The position of the first byte that is not valid; -1 where all are. */
  readonly firstInvalid: number;
}

export function scanUtf8(bytes: Buffer): Utf8Scan {
  let [characters, invalid, firstInvalid] = [0, 0, -1];
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    if (length > 1) characters += 1;
    if (length === 0) {
      invalid += 1;
      if (firstInvalid === -1) firstInvalid = at;
    }
    at += length || 1;
  }
  return { characters, invalid, firstInvalid };
}

/** Text in one byte for each character hardly ever has valid sequences of several bytes, and never more of them than of other bytes. */
export function isMostlyUtf8(...scans: readonly (Pick<Utf8Scan, "characters" | "invalid"> | undefined)[]): boolean {
  const characters = scans.reduce((sum, scan) => sum + (scan?.characters ?? 0), 0);
  const invalid = scans.reduce((sum, scan) => sum + (scan?.invalid ?? 0), 0);
  return characters > 0 && characters >= invalid;
}

/** The length of the valid character that begins here; 0 where none does. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Longer forms of shorter characters, surrogates, and what lies beyond Unicode.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = 2; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

export function decodeKeepingInvalid(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    if (length === 0) {
      parts.push(bytes.toString("utf8", from, at), String.fromCharCode(KEPT + (bytes[at] ?? 0)));
      from = at + 1;
    }
    at += length || 1;
  }
  return parts.join("") + bytes.toString("utf8", from);
}

/** The opposite of decodeKeepingInvalid. Returns undefined for a text with another half of a surrogate pair. */
export function encodeKeepingInvalid(text: string): Buffer | undefined {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  const parts: Buffer[] = [];
  // With the flag u a half matches only where it is alone.
  for (const part of text.split(/([\udc80-\udcff])/u)) {
    const isByte = /^[\udc80-\udcff]$/u.test(part);
    if (!isByte && !part.isWellFormed()) return undefined;
    parts.push(isByte ? Buffer.of(part.charCodeAt(0) - KEPT) : Buffer.from(part, "utf8"));
  }
  return Buffer.concat(parts);
}
