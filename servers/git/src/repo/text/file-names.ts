// File names as bytes and as text. Git knows names as bytes; most are UTF-8 and are their own text. In others the odd bytes are
// shown as `\xE9` (and a backslash as `\x5C`), and the text that was shown is taken back for the same name.
import { isUtf8 } from "node:buffer";

/** What is ever shown so: paths are checked as text, and no separator, dot or end may come to light behind that. */
const ESCAPED = /\\x(5C|[89A-F][0-9A-F])/;
const EVERY_ESCAPED = new RegExp(ESCAPED, "g");
/** No file has so long a name, with every byte of it escaped; a tree may, and each escape in an escape costs a look at all of it. */
const LONGEST = 1020;

/** The text of a name; a name that is UTF-8 is its own, unless another one is shown so. */
export function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const own = bytes.toString("utf8");
    return meantBy(own) === undefined ? own : own.replaceAll("\\", escaped(BACKSLASH));
  }
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequence(bytes, at);
    const byte = bytes[at] ?? 0;
    text += length === 0 || byte === BACKSLASH ? escaped(byte) : bytes.toString("utf8", at, at + length);
    at += length || 1;
  }
  return text;
}

/** The bytes that a text stands for: those of the name that is shown so, or its own. */
export const bytesOf = (text: string): Buffer => meantBy(text) ?? Buffer.from(text, "utf8");

/** The name that is shown so; undefined where the text is no more than itself. */
function meantBy(text: string): Buffer | undefined {
  if (!ESCAPED.test(text) || text.split("/").some(({ length }) => length > LONGEST)) return undefined;
  const parts = text.split(EVERY_ESCAPED);
  const bytes = Buffer.concat(parts.map((part, at) => (at % 2 === 1 ? Buffer.from(part, "hex") : Buffer.from(part, "utf8"))));
  return !isUtf8(bytes) || meantBy(bytes.toString("utf8")) !== undefined ? bytes : undefined;
}

/** True for a text that stands for a name that is not UTF-8. */
export const isOdd = (text: string): boolean => text.includes("\\x") && !isUtf8(bytesOf(text));

const BACKSLASH = 0x5c;
const escaped = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** Bytes of the well-formed character at this place; 0 when there is none. */
function sequence(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  const found = bytes.subarray(at, at + length);
  return length > 0 && found.length === length && isUtf8(found) ? length : 0;
}

// Control characters (C0, DEL, C1), line and paragraph separators, directional embeddings, overrides and isolates.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A name as it may stand in a line of text: a newline in it must not begin a line that looks like the server's own. */
export function shown(name: string): string {
  return name.replace(UNSAFE, (c) => SHORT[c] ?? (c.charCodeAt(0) < 256 ? escaped(c.charCodeAt(0)) : `\\u${c.charCodeAt(0).toString(16)}`));
}

/** Text of a commit or a line: UTF-8 as it is, anything else read byte by byte as Latin-1, so that nothing is lost. */
export function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}
