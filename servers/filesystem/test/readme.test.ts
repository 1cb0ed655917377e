// The README and the manual (docs/filesystem.md) against the server: its prompts, and the deviations that the parity run knows.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { COMPLAINTS } from "./complaints/complaints.ts";
import { targetOf } from "./support/target.ts";
import { DEVIATIONS, type Deviation } from "./parity/deviations.ts";
import { TABLES } from "./parity/tables.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(`${here}../README.md`, "utf8");
const manual = readFileSync(new URL("../../../docs/filesystem.md", import.meta.url), "utf8");

/** The cells of the table rows in one section. */
function rowsOf(section: string): string[][] {
  const [, rest = ""] = manual.split(`\n## ${section}\n`);
  const [text = ""] = rest.split("\n## ");
  return text
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

const deviations: readonly [string, Deviation][] = Object.entries(DEVIATIONS);

describe("deviations", () => {
  test("lists in the manual exactly the deviations of the comparison", () => {
    expect(rowsOf("Differences from the reference server")).toEqual(deviations.map(([id, { what, why }]) => [`\`${id}\``, what, why]));
  });

  test.each(deviations)("shows %s by a row of the comparison, or by the test that it names", (id, { shownBy }) => {
    const rows = Object.values(TABLES)
      .flat()
      .filter(({ differs }) => differs?.by === id);
    if (shownBy === undefined) expect(rows).not.toEqual([]);
    else expect(readFileSync(`${here}${shownBy}`, "utf8")).toContain(`deviation \`${id}\``);
  });
});

test("names the prompts and the template in the manual", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(await targetOf({ directories: [folder.path] }));
  for (const { name } of await Array.fromAsync(wired.client.prompts())) expect(manual).toContain(`\`${name}\``);
  for (const { uriTemplate } of await Array.fromAsync(wired.client.templates())) expect(manual).toContain(`\`${uriTemplate}\``);
});

test("mentions a registry only in the part for later", () => {
  const [before = "", later = "", after = ""] = readme.split(
    /<!-- (?:what hosts need, written by tooling\/release|end of what hosts need) -->/,
  );
  expect(before).toMatch(/\nOnce it is on npm, [^\n]+:\n\n$/);
  expect(later).toContain("npx");
  expect(before + after + manual).not.toMatch(/npx|(?<!p)npm (?:i|install|exec)|npmjs|\bdocker\b/i);
});

test("tests the twelve defects", () => {
  const source = readFileSync(`${here}parity/defects.deep.test.ts`, "utf8");
  for (let number = 1; number <= 12; number++) expect(source).toMatch(new RegExp(`test[^\\n]*"defects? [^:]*\\b${number}\\b[^:]*:`));
});

describe("complaints", () => {
  test("lists in the manual exactly the complaints that have tests", () => {
    expect(rowsOf("What people complain about")).toEqual(
      COMPLAINTS.map(({ refs, complaint, here: answer }) => [refs.join(", "), complaint, answer]),
    );
  });

  const titles = readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => readFileSync(`${here}${name}`, "utf8").split("\n"))
    .filter((line) => /^\s*(?:(?:test|everyRevisionOn)\b.*\(|\]\)\()?["`]/.test(line) || /^(?:test|everyRevisionOn|\]\)\().*"/.test(line));

  test.each(COMPLAINTS.flatMap(({ refs }) => refs))("%s is in the title of a test", (ref) => {
    expect(titles.filter((line) => line.split(/[\s"]/).includes(ref))).not.toEqual([]);
  });
});

test("covers every PATH case of the catalogue by a test", () => {
  const sources = readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${here}${name}`, "utf8"));
  const named = new Set(sources.flatMap((source) => source.match(/PATH-\d\d/g) ?? []));
  for (let number = 1; number <= 44; number++) expect(named).toContain(`PATH-${String(number).padStart(2, "0")}`);
});
