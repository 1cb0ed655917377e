// Tells text files from binary ones by their first bytes.
import { readSync } from "node:fs";

/** Marked as UTF-16, little or big endian. */
export const isWide = (bytes: Buffer): boolean => bytes.length > 1 && ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));

/** The text of marked UTF-16, without its mark. */
export const decodeWide = (bytes: Buffer): string => new TextDecoder(bytes[0] === 0xfe ? "utf-16be" : "utf-16le").decode(bytes);

/** Where ripgrep looks for a NUL first. Its versions differ in what they report of a match before the NUL. */
const HEAD_BYTES = 65_536;
const head = Buffer.alloc(HEAD_BYTES);

/** No NUL in the first bytes, or in the UTF-16 that a byte order mark announces. `fd`: open for reading. */
export function isTextFile(fd: number): boolean {
  const bytes = head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0));
  return isWide(bytes) ? !decodeWide(bytes).includes("\0") : !bytes.includes(0);
}
