// The README and the manual (docs/sqlite.md) agree with the server: its prompts, URIs and deviations.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tableRows } from "@oarlock-tooling/test-support/documentation";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { DEVIATIONS } from "./deviations.ts";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { targetOf } from "./support/target.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(`${here}../README.md`, "utf8");
const manual = readFileSync(new URL("../../../docs/sqlite.md", import.meta.url), "utf8");

describe("deviations", () => {
  test("match those of the manual", () => {
    expect(tableRows(manual, "Differences from the reference server")).toEqual(
      Object.entries(DEVIATIONS).map(([id, { what, why }]) => [`\`${id}\``, what, why]),
    );
  });

  test.each(Object.entries(DEVIATIONS))("%s is shown by its test", (id, { shownBy }) => {
    expect(readFileSync(`${here}${shownBy}`, "utf8")).toContain(`deviation '${id}'`);
  });
});

test("names every prompt, the memo and every template in the manual", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ files: [makeDatabase(folder.at("shop.db"), SHOP)] }));
  for (const { name } of await Array.fromAsync(wired.client.prompts())) expect(manual).toContain(`\`${name}\``);
  for (const { uriTemplate } of await Array.fromAsync(wired.client.templates())) expect(manual).toContain(`\`${uriTemplate}\``);
  expect(manual).toContain("`memo://insights`");
});

test("mentions a package registry only in the section for later", () => {
  const [before = "", later = "", after = ""] = readme.split(
    /<!-- (?:what hosts need, written by tooling\/release|end of what hosts need) -->/,
  );
  expect(before).toMatch(/\n\nOnce it is on npm, (?:[^\n]+\n)+\n$/);
  expect(later).toContain("npx");
  expect(before + after + manual).not.toMatch(/npx|(?<!p)npm (?:i|install|exec)|npmjs|\bdocker\b/i);
});
