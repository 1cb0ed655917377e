// The hunks and lines of a blame from the text of git_blame.

export interface Hunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly summary: string;
}

/** A line may have any character but a line feed. */
const NUMBERED = /^ *(\d+)\t([^]*)$/;
const HEADING = /^(\^?[0-9a-f]{11,12})(?: (.*?) (\d{4}-\d\d-\d\d) (.*))?$/;

/** The texts of the lines by their numbers. */
export const linesInText = (text: string): Map<number, string> =>
  new Map(
    text.split("\n").flatMap((line): [number, string][] => {
      const [, number, content = ""] = NUMBERED.exec(line) ?? [];
      return number === undefined ? [] : [[Number(number), content]];
    }),
  );

/** Each hunk begins with its commit; only the first one of a commit has the author, date and summary. */
export function hunksInText(text: string): Hunk[] {
  const known = new Map<string, Pick<Hunk, "author" | "date" | "summary">>();
  const hunks: { -readonly [K in keyof Hunk]: Hunk[K] }[] = [];
  for (const line of text.split("\n")) {
    const number = Number(NUMBERED.exec(line)?.[1] ?? 0);
    const last = hunks.at(-1);
    if (number > 0 && last !== undefined) {
      last.startLine ||= number;
      last.endLine = number;
      continue;
    }
    const [, hash, author = "", date = "", summary = ""] = HEADING.exec(line) ?? [];
    if (hash === undefined) continue;
    const facts = known.get(hash) ?? { author, date, summary };
    known.set(hash, facts);
    hunks.push({ startLine: 0, endLine: 0, hash, ...facts });
  }
  return hunks.filter(({ startLine }) => startLine > 0);
}
