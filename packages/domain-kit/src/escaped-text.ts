// Text from outside as it may stand in a line of a reply, a question or a log.

// Control characters (C0, DEL, C1), line and paragraph separators, and all characters with the Unicode property Bidi_Control.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Escapes control characters and directional marks, so that the text stays on one line and is read in one direction: a raw newline
 * in a file name would begin a line that looks like the server's own, and a directional mark would reorder the line around it.
 * Text without such characters comes back unchanged.
 */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT_ESCAPES[character] ?? escapeCode(character));
}

/**
 * The same for text of several lines that goes to a terminal: line breaks and tabs stay. Escapes are those of JSON, whose parsed value stays
 * the same.
 */
export function escapeForTerminal(text: string): string {
  return text.replace(UNSAFE, (character) => (character === "\n" || character === "\t" ? character : `\\u${hex(character, 4)}`));
}

/** The same for JSON text, which already escapes C0 controls. The parsed value stays the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${hex(character, 4)}`);
}

/**
 * Text from outside for a message: at most `maxLength` characters, on one line.
 * @param maxLength UTF-16 units before escaping. Default 200.
 */
export function clip(text: string, maxLength = 200): string {
  return escapeControls(truncateText(text, maxLength));
}

/** The first `maxLength` UTF-16 units and `…`, or the whole text where it is not longer. Surrogate pairs stay together. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…`;
}

function escapeCode(character: string): string {
  return character.charCodeAt(0) < 256 ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`;
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
