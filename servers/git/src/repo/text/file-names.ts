// File names as bytes and as text. Git knows names as bytes. Most are UTF-8 and are their own text; in others the bytes that are not
// UTF-8 are written as `\xE9` (and a backslash as `\x5C`), and callers can give the written form back for the same name.
import { isUtf8 } from "node:buffer";
import { utf8SequenceLength } from "@oarlock/domain-kit";

/** No other byte is ever written so: paths are checked as text, and no separator, dot or end may hide behind an escape. */
const ESCAPE = /\\x(5C|[89A-F][0-9A-F])/;
const EVERY_ESCAPE = new RegExp(ESCAPE, "g");
/** A file name has at most 255 bytes, each of them four characters when escaped. Tree objects may hold longer ones. */
const MAX_LENGTH = 1020;
const BACKSLASH = 0x5c;

/** The text for a name. Names that are UTF-8 stay as they are, unless they look like the written form of another name. */
export function nameToText(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString("utf8");
    return unescaped(text) === undefined ? text : text.replaceAll("\\", escapeByte(BACKSLASH));
  }
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = utf8SequenceLength(bytes, at);
    const byte = bytes[at] ?? 0;
    text += length === 0 || byte === BACKSLASH ? escapeByte(byte) : bytes.toString("utf8", at, at + length);
    at += length || 1;
  }
  return text;
}

/** Messages of git with names in them. */
export const messageText = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString("utf8") : nameToText(bytes));

/** The bytes of the name that a text stands for. */
export const nameFromText = (text: string): Buffer => unescaped(text) ?? Buffer.from(text, "utf8");

/** The bytes of a name in its written form; undefined where the text is the name itself. */
function unescaped(text: string): Buffer | undefined {
  if (!ESCAPE.test(text) || text.split("/").some(({ length }) => length > MAX_LENGTH)) return undefined;
  const parts = text.split(EVERY_ESCAPE);
  const bytes = Buffer.concat(parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part, "hex") : Buffer.from(part, "utf8"))));
  return !isUtf8(bytes) || unescaped(bytes.toString("utf8")) !== undefined ? bytes : undefined;
}

/** Whether a text stands for a name that is not UTF-8. */
export const isByteName = (text: string): boolean => text.includes("\\x") && !isUtf8(nameFromText(text));

const escapeByte = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** Text of a commit or of a line: UTF-8, or else Latin-1, which loses no byte. */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}
