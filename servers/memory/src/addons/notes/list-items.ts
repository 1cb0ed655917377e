// Texts as items of a Markdown list. A text of several lines is indented below its bullet; one that a list cannot hold as it is, such as a
// text with blanks at its ends, is written as a JSON string.

// With the flag s, because a line may hold separators such as U+2028.
const BULLET = /^[-*+](?:[ \t]+(.*))?$/s;
const INDENT = /^(?: {2}|\t)/;

export interface ListItem {
  readonly text: string;
  /** A bullet without a text: a person may be about to write one. */
  readonly isBlank: boolean;
  /** How many lines it takes. */
  readonly lines: number;
}

/** The item at the top level that starts with the line `start`; undefined where none does. */
export function itemAt(lines: readonly string[], start: number): ListItem | undefined {
  const bullet = BULLET.exec(lines[start] ?? "");
  if (bullet === null) return undefined;
  const texts = [bullet[1] ?? ""];
  let end = start + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (INDENT.test(line) && line.trim() !== "") texts.push(line.replace(INDENT, ""));
    else if (line.trim() === "" && isContinued(lines, end)) texts.push("");
    else break;
  }
  const text = texts.join("\n").trim();
  return { text: unquote(text), isBlank: text === "", lines: end - start };
}

/** Whether an indented line follows the blank ones. */
function isContinued(lines: readonly string[], start: number): boolean {
  const next = lines.slice(start, start + MAX_BLANK_LINES).find((line) => line.trim() !== "");
  return next !== undefined && INDENT.test(next);
}

/** More blank lines end an item. */
const MAX_BLANK_LINES = 20;

export function formatItem(text: string): string {
  const plain = `- ${text.split("\n").join("\n  ")}`.replaceAll(/^[ \t]+$/gm, "");
  const lines = plain.split("\n");
  const isKept = text !== "" && !text.includes("\r") && itemAt(lines, 0)?.text === text && itemAt(lines, 0)?.lines === lines.length;
  return isKept ? plain : `- ${JSON.stringify(text)}`;
}

/** The text of a JSON string; any other text unchanged. */
export function unquote(text: string): string {
  if (!/^"[^\n]*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
