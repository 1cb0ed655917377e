// The README against what the server is: its prompts, addresses and deviations.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { DEVIATIONS } from "./deviations.ts";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { targetOf } from "./support/target.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(`${here}../README.md`, "utf8");

/** The cells of the table rows in one section. */
function rowsOf(section: string): string[][] {
  const [, rest = ""] = readme.split(`\n## ${section}\n`);
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

describe("deviations", () => {
  test("the README lists exactly those that there are", () => {
    expect(rowsOf("Differences from the reference server")).toEqual(
      Object.entries(DEVIATIONS).map(([id, { what, why }]) => [`\`${id}\``, what, why]),
    );
  });

  test.each(Object.entries(DEVIATIONS))("%s is shown by the test that it names", (id, { shownBy }) => {
    expect(readFileSync(`${here}${shownBy}`, "utf8")).toContain(`deviation '${id}'`);
  });
});

test("the prompts, the memo and the templates are named", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ files: [makeDatabase(folder.at("shop.db"), SHOP)] }));
  for (const { name } of await Array.fromAsync(wired.client.prompts())) expect(readme).toContain(`\`${name}\``);
  for (const { uriTemplate } of await Array.fromAsync(wired.client.templates())) expect(readme).toContain(`\`${uriTemplate}\``);
  expect(readme).toContain("`memo://insights`");
});

test("nothing but what is meant for later says that it can be had from a registry", () => {
  const [before = "", later = "", after = ""] = readme.split(
    /<!-- (?:what hosts need, written by tooling\/release|end of what hosts need) -->/,
  );
  expect(before).toMatch(/\nOnce it is on npm, [^\n]+:\n\n$/);
  expect(later).toContain("npx");
  expect(before + after).not.toMatch(/npx|(?<!p)npm (?:i|install|exec)|npmjs|\bdocker\b/i);
});
