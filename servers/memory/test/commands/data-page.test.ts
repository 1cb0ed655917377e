// Runs the commands of docs/data.md, one after the other, in a folder with the memories that the page speaks of.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Memory } from "../../src/graph/memory.ts";
import { createEntities } from "../../src/graph/write/creation.ts";
import { scopeOfPrincipal } from "../../src/scopes/derived-scope.ts";
import { scopedLocation } from "../../src/scopes/scoped-location.ts";
import { entity } from "../support/graphs.ts";
import { runCommand } from "../support/run-command.ts";

const page = readFileSync(new URL("../../../../docs/data.md", import.meta.url), "utf8");
const commands = [...page.matchAll(/^oarlock-memory (.+)$/gm)].map(([, words = ""]) => words);
/** The first `forget` of a person shows what it would do. */
const isPreview = (line: string): boolean => line.startsWith("users forget") && !line.endsWith("--yes");

async function fill(database: string, person?: string): Promise<void> {
  const scope = person === undefined ? undefined : scopeOfPrincipal(person);
  const owner = scope === undefined ? undefined : { scope, person };
  const memory = new Memory({ location: scopedLocation({ database }, scope), owner });
  await memory.writeInSlices(person, (store, call) => createEntities(store, call, [entity("fig", "fruit", "is sweet")]));
  await memory.close();
}

test("runs each command of the page with the exit code that the page says", async () => {
  await using folder = tempFolder({ copies: {} });
  await fill(folder.at("memory.db"));
  await fill(folder.at("team.db"));
  for (const name of ["ada", "bea"]) await fill(folder.at("team.db"), `https://login.example/ sub:${name}`);
  expect(commands.length).toBeGreaterThan(8);
  const before = process.cwd();
  process.chdir(folder.path);
  try {
    for (const line of commands) {
      const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      const { code, stderr } = await runCommand(words);
      expect([line, code], stderr.join("\n")).toEqual([line, isPreview(line) ? 2 : 0]);
    }
  } finally {
    process.chdir(before);
  }
  expect(folder.read("ada.jsonl")).toContain('"fact":"is sweet"');
  expect(existsSync(folder.at(`team.${scopeOfPrincipal("https://login.example/ sub:ada")}.db`))).toBe(false);
  expect((await runCommand(["users", "list", "--db", folder.at("team.db")])).out).toMatch(/^shared\tteam\.db\t.*\n.*sub:bea\t[^\n]*\n$/);
});

test("quotes the sentence about a newer format as it is", async () => {
  const { newerFormat } = await import("../../src/graph/errors.ts");
  const { FORMAT_VERSION } = await import("../../src/graph/sqlite/tables.ts");
  expect(page).toContain(`\n${newerFormat(FORMAT_VERSION + 1, FORMAT_VERSION).message}\n`);
});
