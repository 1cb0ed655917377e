// Bytes that a caller gives as base64.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

/** Throws for text that is not base64; line breaks and blanks are left out, and the URL-safe letters count too. */
export function bytesOfBase64(given: string): Buffer {
  const text = given.replace(/[\s=]+/g, "");
  const bytes = Buffer.from(text, "base64");
  // Node skips letters that it does not know.
  if (/^[\w+/-]*$/.test(text) && bytes.length === Math.floor((text.length * 3) / 4) && text.length % 4 !== 1) return bytes;
  throw new DiskError("invalid", `Content is not base64: expected letters, digits, + and /, got: ${clip(given, 60)}`);
}
