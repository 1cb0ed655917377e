// The list of complaints against its tests and the README, and the catalogue of cases against theirs.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMPLAINTS } from "./complaints.ts";

const tests = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(`${tests}../README.md`, "utf8");
const sources = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, source: readFileSync(`${tests}${name}`, "utf8") }));

test("the README lists exactly the complaints that have tests", () => {
  const [, section = ""] = readme.split("\n## Problems of other SQLite servers\n");
  const rows = section
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .slice(1);
  expect(rows).toEqual(COMPLAINTS.map(({ refs, complaint, here }) => `| ${refs.join(", ")} | ${complaint} | ${here} |`));
});

describe("each reference is in the title of a test", () => {
  const titles = sources
    .filter(({ name }) => name.endsWith(".test.ts"))
    .flatMap(({ source }) => source.split("\n"))
    .filter((line) => /^\s*test[^"`]*["`]/.test(line));
  test.each(COMPLAINTS.flatMap(({ refs }) => refs))("%s", (ref) => {
    expect(titles.filter((line) => line.split(/[\s"]/).includes(ref))).not.toEqual([]);
  });
});

test("every SQL case of the catalogue is a test", () => {
  const named = new Set(sources.flatMap(({ source }) => source.match(/SQL-\d\d/g) ?? []));
  for (let number = 1; number <= 33; number++) expect(named).toContain(`SQL-${String(number).padStart(2, "0")}`);
});
