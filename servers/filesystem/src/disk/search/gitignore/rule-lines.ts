// The lines of a .gitignore that may be handed to a library that makes regular expressions of them. The file belongs to whoever
// wrote the repository: a line that could make a name expensive to test, or that is no pattern, is passed over, and shows more.
import type { Ignore } from "ignore";

const MOST_LINES = 2000;
const MOST_CHARACTERS = 500;
/** Each `*` multiplies what a name may cost by its length. */
const MOST_STARS = 4;

export function safeLines(text: string, make: () => Ignore): string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.slice(0, MOST_LINES).filter((line) => isCheap(line) && isPattern(line, make));
}

function isCheap(line: string): boolean {
  return line.length <= MOST_CHARACTERS && (line.match(/\*+/g) ?? []).length <= MOST_STARS;
}

/** Only brackets and backslashes can make something that is no regular expression. */
function isPattern(line: string, make: () => Ignore): boolean {
  if (!/[[\\]/.test(line)) return true;
  try {
    make().add(line).ignores("x");
    return true;
  } catch {
    return false;
  }
}
