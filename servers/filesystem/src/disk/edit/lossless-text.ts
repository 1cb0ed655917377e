// Text of a file that is edited: decoded only where encoding it again gives the same bytes.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { decode, encode, type Encoding } from "../text/encoding.ts";
import { decodeKeepingInvalid, encodeKeepingInvalid } from "../text/utf8-damage.ts";

/** Throws for text that encoding it again would change. */
export function decodeLossless(body: Buffer, encoding: Encoding, path: string): string {
  if (encoding === "utf-8") return decodeKeepingInvalid(body);
  const text = decode(body, encoding);
  let isSame = false;
  try {
    isSame = encode(text, encoding).equals(body);
  } catch {
    // A character that the encoding does not have.
  }
  if (isSame) return text;
  throw new DiskError("invalid", `File is not valid ${encoding} text: editing would damage other parts of it: ${clip(path)}`);
}

export function encodeLossless(text: string, encoding: Encoding): Buffer {
  return (encoding === "utf-8" ? encodeKeepingInvalid(text) : undefined) ?? encode(text, encoding);
}
