// Tells text files from binary ones by their first bytes, and in which encoding their text is searched.
import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { formByContent, isBinary } from "../../text/encoding.ts";
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

/** How an open file reads as text; undefined for a binary one. */
export function searchEncoding(fd: number): SearchEncoding | undefined {
  const bytes = head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0));
  if (isWide(bytes)) return decodeWide(bytes).includes("\0") ? undefined : "by-mark";
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (bytes.includes(0) || isBinary(bytes)) return undefined;
  const { encoding } = formByContent(withoutDividedCharacter(bytes));
  if (encoding !== "utf-8") return "windows-1252";
  // Named, so that bytes that are not valid become replacement characters, as in a read.
  return isUtf8(withoutDividedCharacter(bytes)) ? "by-mark" : "utf-8";
}

/** The head may end inside a character. */
function withoutDividedCharacter(bytes: Buffer): Buffer {
  if (bytes.length < HEAD_BYTES) return bytes;
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1] ?? 0) >= 0x80) end -= 1;
  return bytes.subarray(0, end);
}
