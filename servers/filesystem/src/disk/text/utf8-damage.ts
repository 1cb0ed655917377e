// UTF-8 with bytes that are not valid: a log that was cut inside a character, or one byte of another encoding. Each such byte is kept as a
// half of a surrogate pair (U+DC80 to U+DCFF, as in Python's surrogateescape), which no valid text has, so an edit loses none.
import { isUtf8 } from "node:buffer";
import { utf8SequenceLength } from "@oarlock/domain-kit";

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
    const length = utf8SequenceLength(bytes, at);
    if (length > 1) characters += 1;
    if (length === 0) {
      invalid += 1;
      if (firstInvalid === -1) firstInvalid = at;
    }
    at += length || 1;
  }
  return { characters, invalid, firstInvalid };
}

/** The bytes without those of a last character that is not complete, and perhaps of complete ones before it. */
export function withoutDividedCharacter(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && (bytes[end - 1] ?? 0) >= 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Text in one byte for each character hardly ever has valid sequences of several bytes, and never more of them than of other bytes. */
export function isMostlyUtf8(...scans: readonly (Pick<Utf8Scan, "characters" | "invalid"> | undefined)[]): boolean {
  const characters = scans.reduce((sum, scan) => sum + (scan?.characters ?? 0), 0);
  const invalid = scans.reduce((sum, scan) => sum + (scan?.invalid ?? 0), 0);
  return characters > 0 && characters >= invalid;
}

export function decodeKeepingInvalid(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  // Into one buffer: a list of parts would take many times the memory.
  const units = Buffer.allocUnsafe(2 * bytes.length);
  let [from, end] = [0, 0];
  for (let at = 0; at < bytes.length;) {
    const length = utf8SequenceLength(bytes, at);
    if (length === 0) {
      end += units.write(bytes.toString("utf8", from, at), end, "utf16le");
      end = units.writeUInt16LE(KEPT + (bytes[at] ?? 0), end);
      from = at + 1;
    }
    at += length || 1;
  }
  end += units.write(bytes.toString("utf8", from), end, "utf16le");
  return units.toString("utf16le", 0, end);
}

/** The opposite of decodeKeepingInvalid. Returns undefined for a text with another half of a surrogate pair. */
export function encodeKeepingInvalid(text: string): Buffer | undefined {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  const bytes = Buffer.allocUnsafe(3 * text.length);
  let [from, end] = [0, 0];
  const put = (part: string): boolean => {
    end += bytes.write(part, end, "utf8");
    return part.isWellFormed();
  };
  // With the flag u a half matches only where it is alone.
  for (const { 0: half, index } of text.matchAll(/[\udc80-\udcff]/gu)) {
    if (!put(text.slice(from, index))) return undefined;
    end = bytes.writeUInt8(half.charCodeAt(0) - KEPT, end);
    from = index + 1;
  }
  return put(text.slice(from)) ? bytes.subarray(0, end) : undefined;
}
