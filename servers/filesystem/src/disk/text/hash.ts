// Hashes. node:crypto is loaded on first use, because it takes 4 ms.
import type * as Crypto from "node:crypto";

let loaded: typeof Crypto | undefined;
const crypto = () => (loaded ??= process.getBuiltinModule("node:crypto"));

/** 128 bits of SHA-256 as URL-safe text. */
export function digest(data: Buffer | string): string {
  return crypto().hash("sha256", data, "base64url").slice(0, 22);
}

/** 48 bits of SHA-256 in hex, for names that tell things apart and protect nothing. */
export const shortDigest = (data: string): string => crypto().hash("sha256", data, "hex").slice(0, 12);
