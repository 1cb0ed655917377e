// Edits as models write them, in nine imperfect ways, on many places of a repetitive file: each is applied rightly, or refused with a line
// of the place that is meant. None changes another place.
import { expect, test } from "vitest";
import { applyEdits } from "../../../src/disk/edit/replacements.ts";
import { DiskError } from "../../../src/disk/errors.ts";

const NAMES = ["reads", "writes", "moves", "copies", "lists", "finds"];
const FILE = NAMES.flatMap((name, at) => [
  `test("${name} a file", async () => {`,
  `  const { sandbox, folder } = await setUp("${name}");`,
  "  // Line by line, as the others do.",
  `  for (const line of folder.lines("it's")) {`,
  `    await sandbox.${name}(line, ${at});`,
  "    expect(folder.tree()).toEqual([]);",
  "  }",
  "});",
  "",
]);

interface Imperfect {
  readonly oldText: string;
  readonly newText: string;
}

/** Lines of the file from line `from` on, one of them changed, written in another way. */
type Way = (old: string[], next: string[], from: number) => Imperfect;

const joined = (lines: readonly string[]): string => lines.join("\n");
const both = (old: string[], next: string[], change: (text: string) => string): Imperfect => ({
  oldText: change(joined(old)),
  newText: change(joined(next)),
});

const WAYS: Readonly<Record<string, Way>> = {
  "trailing blanks": (old, next) => both(old, next, (text) => text.replaceAll(/(?<!changed)\n/g, " \n")),
  "tabs for blanks": (old, next) => both(old, next, (text) => text.replaceAll("  ", "\t")),
  "curly quotes": (old, next) => both(old, next, (text) => text.replaceAll('"', "”").replaceAll("'", "’")),
  "line numbers": (old, next, from) => {
    const numbered = (lines: string[]) => lines.map((line, index) => `${from + index + 1}\t${line}`);
    return both(numbered(old), numbered(next), (text) => text);
  },
  "a stale line": (old, next) => both(old, next, (text) => text.replace("others do", "other tests do").replace("expect(", "assert(")),
  "a missing newline": (old, next) => ({ oldText: joined(old).replace(/\n(?= {4}expect)/, ""), newText: joined(next) }),
  "escaped quotes": (old, next) => both(old, next, (text) => text.replaceAll('"', String.raw`\"`).replaceAll("'", String.raw`\'`)),
  "another indentation": (old, next) => both(old, next, (text) => text.replaceAll(/^(?=.)/gm, "  ")),
  "other line ends": (old, next) => both(old, next, (text) => text.replaceAll("\n", "\r\n")),
};

test.each(Object.entries(WAYS))("changes only the intended place, or names it: %s", async (name, way) => {
  let applied = 0;
  for (let from = 0; from + 7 <= FILE.length; from += 1) {
    const old = FILE.slice(from, from + 7);
    const next = old.with(3, `${old[3]} // changed`);
    const expected = joined([...FILE.slice(0, from), ...next, ...FILE.slice(from + 7)]);
    const { oldText, newText } = way(old, next, from);
    try {
      const { text } = await applyEdits(joined(FILE), [{ oldText, newText }], true);
      expect(text, `line ${from + 1}`).toBe(expected);
      applied += 1;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      const line = Number(/line (\d+)/.exec(error.message)?.[1]);
      expect(line, error.message).toBeGreaterThanOrEqual(from + 1);
      expect(line, error.message).toBeLessThanOrEqual(from + 7);
    }
  }
  // What differs in blanks only is applied.
  if (/blanks|indentation|line ends/.test(name)) expect(applied).toBeGreaterThan(0);
});
