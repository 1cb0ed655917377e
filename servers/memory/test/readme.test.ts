// The README and the manual (docs/memory.md) match the server: its commands, prompts and URIs, the differences that the comparison with the reference server knows, and the
// known problems that have tests.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { COMPLAINTS } from "./complaints/complaints.ts";
import { runCommand } from "./support/run-command.ts";
import { targetOf } from "./support/targets.ts";
import { DEVIATIONS, type Deviation } from "./reference/deviations.ts";
import { TABLES } from "./reference/tables.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(`${here}../README.md`, "utf8");
const manual = readFileSync(new URL("../../../docs/memory.md", import.meta.url), "utf8");

/** The cells of the table rows in one section. */
function rowsOf(section: string): string[][] {
  const [, rest = ""] = manual.split(new RegExp(`\n###? ${section}\n`));
  const [text = ""] = rest.split(/\n###? /);
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
  test("lists exactly the differences of the comparison in the manual", () => {
    expect(rowsOf("Differences from the reference server")).toEqual(deviations.map(([id, { what, why }]) => [`\`${id}\``, what, why]));
  });

  test.each(deviations)("%s is proved by a row of the comparison, or by the test that it names", (id, { shownBy }) => {
    const rows = Object.values(TABLES)
      .flat()
      .filter(({ differs }) => differs?.by === id);
    if (shownBy === undefined) expect(rows).not.toEqual([]);
    else expect(readFileSync(`${here}${shownBy}`, "utf8")).toContain(`deviation \`${id}\``);
  });
});

test("lists the commands of the help text in the manual", async () => {
  const { out } = await runCommand(["export", "--help"]);
  const commands = out.match(/(?<=^ {2})[a-z]+/gm);
  expect(rowsOf("Commands").map(([cell]) => /oarlock-memory ([a-z]+)/.exec(cell ?? "")?.[1])).toEqual(commands);
});

test("names all prompts, resources and templates in the manual", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ file: folder.at("m.db") }));
  for (const { name } of await Array.fromAsync(wired.client.prompts())) expect(manual).toContain(`\`${name}\``);
  const addresses = [
    ...(await Array.fromAsync(wired.client.resources())).map(({ uri }) => uri),
    ...(await Array.fromAsync(wired.client.templates())).map(({ uriTemplate }) => uriTemplate),
  ];
  expect(
    rowsOf("Resources, subscriptions, completions, prompts")
      .map(([cell = ""]) => cell)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(addresses.map((address) => `\`${address}\``).toSorted((a, b) => a.localeCompare(b)));
});

test("offers packages of a registry only in the README's part for later", () => {
  const [before = "", later = "", after = ""] = readme.split(
    /<!-- (?:what hosts need, written by tooling\/release|end of what hosts need) -->/,
  );
  expect(before).toMatch(/\nOnce it is on npm, [^\n]+:\n\n$/);
  expect(later).toContain("npx");
  expect(before + after + manual).not.toMatch(/npx|(?<!p)npm (?:i|install|exec)|npmjs|\bdocker\b/i);
});

const titles = readdirSync(here, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .flatMap((name) => readFileSync(`${here}${name}`, "utf8").split("\n"))
  .filter(
    (line) =>
      /^\s*(?:(?:test|everyCell|everyRevision)\b.*\(|\]\)\()?["`]/.test(line) ||
      /^\s*(?:test|everyCell|everyRevision|\]\)\().*["`]/.test(line),
  );

describe("complaints", () => {
  test("lists exactly the problems that have tests in the manual", () => {
    expect(rowsOf("Known problems of memory servers")).toEqual(
      COMPLAINTS.map(({ refs, complaint, here: answer }) => [refs.join(", "), complaint, answer]),
    );
  });

  test.each(COMPLAINTS.flatMap(({ refs }) => refs))("%s is in the title of a test", (ref) => {
    expect(titles.filter((line) => line.split(/[\s"`:,]/).includes(ref))).not.toEqual([]);
  });
});

test("tests every MEM case of the catalogue", () => {
  const sources = readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && name !== "readme.test.ts")
    .map((name) => readFileSync(`${here}${name}`, "utf8"));
  const named = new Set(sources.flatMap((source) => source.match(/MEM-\d\d/g) ?? []));
  for (let number = 1; number <= 16; number++) expect(named).toContain(`MEM-${String(number).padStart(2, "0")}`);
});
