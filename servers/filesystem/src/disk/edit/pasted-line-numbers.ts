// Recognizes line numbers that were pasted into an edit together with the lines, as a numbered read shows them.

const NUMBERED = /^[ \t]*(\d{1,9})(?:\t|[:|→]| {2})(.*)$/;

export interface UnnumberedText {
  readonly text: string;
  /** The number of the first line. */
  readonly firstLine: number;
}

/** The text without its line numbers. Undefined unless each line that is not blank begins with a number, and the numbers rise. */
export function withoutLineNumbers(text: string): UnnumberedText | undefined {
  const lines: string[] = [];
  let [firstLine, last] = [0, 0];
  for (const [index, line] of text.split("\n").entries()) {
    const [, digits, rest = ""] = NUMBERED.exec(line) ?? [];
    if (digits === undefined && line.trim() !== "") return undefined;
    lines.push(rest);
    if (digits === undefined) continue;
    if (Number(digits) <= last) return undefined;
    last = Number(digits);
    if (firstLine === 0) firstLine = Math.max(last - index, 1);
  }
  if (firstLine === 0) return undefined;
  // A blank between number and line, as in `12: text`. Behind a tab or blanks it belongs to the line.
  const isSpaced = !/^[ \t]*\d+[ \t]/m.test(text) && lines.every((line) => line === "" || line.startsWith(" "));
  return { text: lines.map((line) => (isSpaced ? line.slice(1) : line)).join("\n"), firstLine };
}
