// Text from outside as it may stand in a line of a reply, a question or a log.

// Control characters (C0, DEL, C1), line and paragraph separators, and all characters with the Unicode property Bidi_Control. Then what shows
// nothing and can hold text that only models read: blanks and operators without width, tag characters, and variation selectors in a row. One
// selector belongs to the character before it, and joiners belong to words and emojis.
const MARKS = String.raw`\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff`;
const HIDDEN_TEXT = String.raw`\udb40[\udc00-\udc7f]|(?:\udb40[\udd00-\uddef]){2,}`;
const UNSAFE = new RegExp(String.raw`[\u0000-\u001f${MARKS}]|${HIDDEN_TEXT}`, "g");
const UNSAFE_IN_JSON = new RegExp(`[${MARKS}]|${HIDDEN_TEXT}`, "g");

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Escapes control characters, directional marks and invisible text, so that the text stays on one line and is read in one direction: a raw newline
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
  return text.replace(UNSAFE, (character) => (character === "\n" || character === "\t" ? character : unitsOf(character)));
}

/** The same for JSON text, which already escapes C0 controls. The parsed value stays the same. */
export function escapeControlsInJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, unitsOf);
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
  return character.charCodeAt(0) < 256 ? `\\x${hex(character, 2)}` : unitsOf(character);
}

/** Each UTF-16 unit, as in JSON. */
const unitsOf = (characters: string): string =>
  characters
    .split("")
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join("");

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
