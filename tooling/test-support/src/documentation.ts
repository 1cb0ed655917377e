// Comparison of documentation with tests: tables of Markdown files, and titles of test files.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The cells of all table rows in one section (`## heading`) of a Markdown text, without the header row. */
export function tableRows(markdown: string, heading: string): string[][] {
  const [, rest = ""] = markdown.split(`\n## ${heading}\n`);
  const [section = ""] = rest.split("\n## ");
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .slice(1)
    .map((line) =>
      line
        .slice(2, -2)
        .split(" | ")
        .map((cell) => cell.trim()),
    );
}

/** The texts of all test files (`*.test.ts`) below a folder. */
export function testSources(folder: URL): string[] {
  const path = fileURLToPath(folder);
  return globSync("**/*.test.ts", { cwd: path }).map((name) => readFileSync(join(path, name), "utf8"));
}

/** A line that holds the title of a test: a call of `test` or of a function `every…`, or a title on a line of its own. */
const TITLE = /^\s*(?:(?:(?:test|every\w+)\b.*\(|\]\)\()?["`]|(?:test|every\w+|\]\)\().*["`])/;

/** Whether a test below a folder has an id, such as `#123` or `PATH-07`, in its title. */
export function hasTestTitled(folder: URL, id: string): boolean {
  return testSources(folder).some((source) => source.split("\n").some((line) => TITLE.test(line) && line.split(/[\s"`:,]/).includes(id)));
}

/** The ids of one catalogue, such as `PATH-01` to `PATH-44`, that no test names. */
export function missingCaseIds(sources: readonly string[], prefix: string, count: number): string[] {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, "0")}`);
  return ids.filter((id) => !sources.some((source) => source.includes(id)));
}
