// Tells text files from binary ones by their first bytes, and in which encoding their text is searched.
import { isAscii, isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { HASHED_BYTES } from "../../read/etag.ts";
import { formByContent, isBinary } from "../../text/encoding.ts";
import { withoutDividedCharacter } from "../../text/utf8-damage.ts";
import { wideEncoding } from "../../text/wide-text.ts";

/** Marked as UTF-16, little or big endian. */
export const isWide = (bytes: Buffer): boolean => bytes.length > 1 && ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));

/** The text of marked UTF-16, without its mark. */
export const decodeWide = (bytes: Buffer): string => new TextDecoder(bytes[0] === 0xfe ? "utf-16be" : "utf-16le").decode(bytes);

/** Where ripgrep looks for a NUL first. Its versions differ in what they report of a match before the NUL. */
const HEAD_BYTES = 65_536;
const head = Buffer.alloc(HEAD_BYTES);

/** `by-mark`: by its byte order mark, or UTF-8. */
export type SearchEncoding = "by-mark" | "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * How an open file reads as text; undefined for a binary one. `named`: the encoding that all files have. `nulsAreBinary`: a text with NULs
 * passes for binary, as it does for ripgrep in a directory.
 */
export function searchEncoding(fd: number, named?: string, nulsAreBinary = false): SearchEncoding | undefined {
  const bytes = head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0));
  if (isWide(bytes)) return decodeWide(bytes).includes("\0") ? undefined : "by-mark";
  if (named !== undefined) return new TextDecoder(named).decode(bytes).includes("\0") ? undefined : "by-mark";
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (nulsAreBinary && bytes.includes(0)) return undefined;
  const content = decisivePart(fd, bytes);
  if (isBinary(content)) return undefined;
  if (formByContent(content).encoding !== "utf-8") return "windows-1252";
  // Named, so that bytes that are not valid become replacement characters, as in a read.
  return isUtf8(content) ? "by-mark" : "utf-8";
}

/** The head, or as much as a read looks at where the head is ASCII: that is the same in all these encodings. */
function decisivePart(fd: number, bytes: Buffer): Buffer {
  if (bytes.length < HEAD_BYTES) return bytes;
  if (!isAscii(bytes)) return withoutDividedCharacter(bytes);
  const more = Buffer.allocUnsafe(HASHED_BYTES);
  const part = more.subarray(0, readSync(fd, more, 0, HASHED_BYTES, 0));
  return part.length < HASHED_BYTES ? part : withoutDividedCharacter(part);
}
