// The README and the manual (docs/git.md) against what the server is: its prompts, addresses, complaints and deviations.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { missingCaseIds, testSources } from "@oarlock-tooling/test-support/documentation";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { COMPLAINTS } from "./complaints/complaints.ts";
import { DEVIATIONS } from "./deviations.ts";
import { makeRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(`${here}../README.md`, "utf8");
const manual = readFileSync(new URL("../../../docs/git.md", import.meta.url), "utf8");

/** The cells of the table rows in one section. */
function rowsOf(section: string): string[][] {
  const [, rest = ""] = manual.split(new RegExp(`\n##+ ${section}\n`));
  const [text = ""] = rest.split(/\n##+ /);
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

const sources = testSources(new URL(".", import.meta.url));

const server = async () => {
  const folder = tempFolder();
  const { path } = makeRepository(folder.at("project"), { a: "a" });
  const wired = await connectTo(await targetOf({ repositories: [path] }));
  return { folder, wired };
};

test("names all prompts and resource URIs in the manual", async () => {
  const { folder, wired } = await server();
  for (const { name } of await Array.fromAsync(wired.client.prompts())) expect(manual).toContain(`\`${name}\``);
  const templates = await Array.fromAsync(wired.client.templates());
  expect(rowsOf("Resources and subscriptions").map(([address]) => address)).toEqual(
    templates.map(({ uriTemplate }) => `\`${uriTemplate}\``),
  );
  await wired[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("mentions a registry only in the part for later", () => {
  const [before = "", later = "", after = ""] = readme.split(
    /<!-- (?:what hosts need, written by tooling\/release|end of what hosts need) -->/,
  );
  expect(before).toMatch(/\nOnce it is on npm, [^\n]+:\n\n$/);
  expect(later).toContain("npx");
  expect(before + after + manual).not.toMatch(/npx|(?<!p)npm (?:i|install|exec)|npmjs|\bdocker\b/i);
});

describe("deviations", () => {
  test("lists in the manual exactly the known deviations", () => {
    expect(rowsOf("Differences from the reference server")).toEqual(
      Object.entries(DEVIATIONS).map(([id, { what, why }]) => [`\`${id}\``, what, why]),
    );
  });

  test.each(Object.keys(DEVIATIONS))("%s is in the title of a test", (id) => {
    expect(sources.some((source) => source.includes(`test("deviation ${id}: `))).toBe(true);
  });
});

describe("complaints", () => {
  test("lists in the manual exactly the complaints that have tests", () => {
    expect(rowsOf("Problems reported in other git servers")).toEqual(
      COMPLAINTS.map(({ refs, complaint, here: answer }) => [refs.join(", "), complaint, answer]),
    );
  });

  const titles = sources
    .flatMap((source) => source.split("\n"))
    .filter((line) => /^\s*(?:(?:test|every\w+)\b.*\(|\]\)\()?["`]/.test(line) || /^\s*(?:test|every\w+|\]\)\().*"/.test(line));

  test.each(COMPLAINTS.flatMap(({ refs }) => refs))("%s is in the title of a test", (ref) => {
    expect(titles.filter((line) => line.split(/[\s",]/).includes(ref))).not.toEqual([]);
  });
});

test("covers every GIT case of the catalogue by a test", () => {
  const cases = readdirSync(`${here}cases`).map((file) => readFileSync(`${here}cases/${file}`, "utf8"));
  expect(missingCaseIds([...sources, ...cases], "GIT", 32)).toEqual([]);
});
