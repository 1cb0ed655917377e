/** Text from outside, as it may be shown: one line, one direction, a bounded length. Numbers for people. */

// Control characters, line and paragraph separators, and the characters that change the direction of text.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex
const UNSAFE_IN_BLOCKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escaped = (character: string): string => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text with control characters and directional marks escaped. `"lines"` keeps line breaks and tabs, for preformatted blocks. */
export const visible = (text: string, keep?: "lines"): string => text.replace(keep === "lines" ? UNSAFE_IN_BLOCKS : UNSAFE, escaped);

/** The first `max` characters of a text, visible, and `…` where there are more. */
export const clipped = (text: string, max = 200): string =>
  text.length <= max ? visible(text) : `${visible(text.slice(0, max).replace(/[\ud800-\udbff]$/, ""))}…`;

const MAX_LINE_LENGTH = 2000;

/** Whether `lineText` cuts the line. */
export const isLongLine = (text: string): boolean => (text.endsWith("\r") ? text.length - 1 : text.length) > MAX_LINE_LENGTH;

/** One line of a file, visible; a long one is cut, with its length. */
export function lineText(text: string): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  if (!isLongLine(text)) return visible(line, "lines");
  const start = line.slice(0, MAX_LINE_LENGTH).replace(/[\ud800-\udbff]$/, "");
  return `${visible(start, "lines")}… (${line.length.toLocaleString("en")} characters)`;
}

/** `1 entity`, `12 entities`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;

/** The message of what was thrown. */
export const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** `812 B`, `1.4 KB`: units of 1,024. */
export function bytes(size: number): string {
  let [value, unit] = [size, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
