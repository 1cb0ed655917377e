// Names as they may stand in a line of text. A file name is any bytes but `/` and NUL; printed raw, a newline in it would begin
// a line that looks like the server's own, and a direction mark would reorder the line around it. JSON fields carry names raw.

// Control characters (C0, DEL, C1), line and paragraph separators, directional embeddings, overrides and isolates.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The name or path on one line. Names without such characters come back as they are. */
export function shown(name: string): string {
  return name.replace(UNSAFE, escaped);
}

/** The same for JSON text, which already escapes C0 but prints the others raw. Stays the same value when parsed. */
export function shownJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${hex(c, 4)}`);
}

function escaped(c: string): string {
  return SHORT[c] ?? (c.charCodeAt(0) < 256 ? `\\x${hex(c, 2)}` : `\\u${hex(c, 4)}`);
}

function hex(c: string, digits: number): string {
  return c.charCodeAt(0).toString(16).padStart(digits, "0");
}

/** A name that is not UTF-8 has no text of its own: its odd bytes are shown as `\xE9`, upper case, and it cannot be asked for. */
export function shownBytes(name: Uint8Array): string {
  let text = "";
  let at = 0;
  while (at < name.length) {
    const length = sequence(name, at);
    text +=
      length === 0 ? `\\x${(name[at] ?? 0).toString(16).toUpperCase()}` : Buffer.from(name.buffer, name.byteOffset + at, length).toString();
    at += length || 1;
  }
  return text;
}

/** Bytes of the well-formed character at this place; 0 when there is none. */
function sequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  const found = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(length, bytes.length - at));
  return length > 0 && found.length === length && Buffer.from(found.toString()).equals(found) ? length : 0;
}
