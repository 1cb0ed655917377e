// The lines of a .gitignore that may become rules. The `ignore` library turns each into a regular expression, and the author of the
// repository wrote them: a line that could make matching expensive is dropped, so more files are shown. Malformed ones match nothing.

const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 500;
/** Each `*` multiplies the cost of matching a name by the length of the name. */
const MAX_STARS = 4;

export function safeLines(text: string): string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.slice(0, MAX_LINES).filter(isCheap);
}

function isCheap(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && (line.match(/\*+/g) ?? []).length <= MAX_STARS;
}
