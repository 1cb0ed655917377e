// File names of notes: valid on Windows, macOS and Linux and in wiki links, and unique also where the case of letters makes no difference.
import { createHash } from "node:crypto";

/** In characters and in bytes of UTF-8: most file systems allow 255 bytes. */
const MAX_LENGTH = 100;
const MAX_BYTES = 180;
const HASH_LENGTH = 8;

/** Reserved on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** A file name without its ending. The same name always gives the same one. */
export function safeStem(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize("NFC")
    // Slashes, characters that Windows or wiki links do not allow, control and invisible characters, and line separators.
    .replaceAll(/[\\/:*?"<>|#^[\]\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\ufffd]+/gu, "-")
    .replaceAll(/\s+/g, " ");
  const trimmed = shorten(plain.replace(/^[\s.]+/, "")).replace(/[\s.]+$/, "");
  const named = trimmed === "" || trimmed === "-" ? "unnamed" : trimmed;
  return RESERVED.test(named) ? `_${named}` : named;
}

function shorten(text: string): string {
  let short = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_BYTES || short.length + character.length > MAX_LENGTH) break;
    short += character;
  }
  return short;
}

/** Equal for names that a file system may take for the same. */
export const fileKey = (stem: string): string => stem.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");

/** A name that is not in `taken`, a set of `fileKey`s, and that is added to it. */
export function uniqueStem(name: string, taken: Set<string>): string {
  const stem = safeStem(name);
  const hash = createHash("sha256").update(name.toWellFormed()).digest("hex");
  let unique = stem;
  for (let length = HASH_LENGTH; taken.has(fileKey(unique)) && length <= hash.length; length++) unique = `${stem} ${hash.slice(0, length)}`;
  taken.add(fileKey(unique));
  return unique;
}
