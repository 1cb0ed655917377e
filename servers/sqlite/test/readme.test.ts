// The README against what the server is: its tools, switches, prompts, addresses and deviations.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject, type Tool } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { DEVIATIONS } from "./deviations.ts";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { bin, targetOf } from "./support/target.ts";

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

test("the table of tools is the list of tools, with their arguments", () => {
  const tools = JSON.parse(readFileSync(`${here}golden/2025-11-25.tools.json`, "utf8")) as Tool[];
  const wanted = tools.map(({ name, inputSchema }) => {
    const { properties, required } = inputSchema as { properties?: object; required?: string[] };
    const names = Object.keys(isObject(properties) ? properties : {}).map((argument) =>
      required?.includes(argument) === true ? `\`${argument}\`` : `\`${argument}?\``,
    );
    return [`\`${name}\``, names.join(" ")];
  });
  expect(rowsOf("Tools").map(([name, args]) => [name, args])).toEqual(wanted);
});

test("the switches are those of --help, and none is missing of its own", () => {
  const { command, args = [] } = bin(["--help"]);
  const help = execFileSync(command, args, { encoding: "utf8" });
  const named = rowsOf("Switches").flatMap(([cell = ""]) => cell.match(/--[a-z-]+/g) ?? []);
  for (const name of named) expect(help).toContain(`  ${name}`);
  const [own = ""] = help.split("Options of every server:");
  expect(named).toEqual(expect.arrayContaining(own.match(/(?<=^ {2})--[a-z-]+/gm) ?? ["none"]));
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
