// Names of files and in the memory reach no terminal raw.
import { mkdirSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../support/run-command.ts";

const NAME = "a\u001b[2J\u202e\nError: b";
const PRINTABLE = /^[\n\x20-\x7e]*$/;

const { isTTY } = process.stdout;
afterEach(() => void (process.stdout.isTTY = isTTY));

test.each<[title: string, words: (at: (name: string) => string) => string[]]>([
  ["a missing file", (at) => ["import", at(`no ${NAME}`)]],
  ["a folder without notes", (at) => ["import", at(NAME)]],
  ["a file of lines that are left out", (at) => ["import", at(`${NAME}.jsonl`)]],
  ["a file without records", (at) => ["import", at(`${NAME}.txt`), "--format", "jsonl"]],
  ["an output that cannot be written", (at) => ["export", "--output", at(`none/${NAME}`)]],
  ["a database", (at) => ["verify", "--db", at(`${NAME}.db`)]],
  ["a database that does not exist", (at) => ["compact", "--db", at(`no ${NAME}.db`)]],
])("%s", async (_title, words) => {
  await using folder = tempFolder();
  mkdirSync(folder.at(NAME));
  writeFileSync(folder.at(`${NAME}.jsonl`), `{"type":"entity","name":"\u009b","entityType":"t","observations":[]}\n{"\u202e\n`);
  writeFileSync(folder.at(`${NAME}.txt`), "x\n");
  writeFileSync(folder.at(`${NAME}.db`), "no database");
  const { out, stderr } = await runCommand(
    words((name) => folder.at(name)),
    { OARLOCK_DB: folder.at("m.db") },
  );
  expect(stderr.length).toBeGreaterThan(0);
  expect([out, ...stderr].join("\n")).toMatch(PRINTABLE);
  expect(stderr.filter((line) => line.startsWith("Error: b"))).toEqual([]);
});

test.each(["--jsonl", "--json", "--dot"])("an export %s to a terminal", async (format) => {
  await using folder = tempFolder();
  const env = { OARLOCK_DB: folder.at("m.db") };
  writeFileSync(folder.at("in.jsonl"), `${JSON.stringify({ type: "entity", name: NAME, entityType: "t\u009b", observations: [] })}\n`);
  expect((await runCommand(["import", folder.at("in.jsonl")], env)).code).toBe(0);
  process.stdout.isTTY = true;
  const { out } = await runCommand(["export", format], env);
  expect(out).toMatch(PRINTABLE);
  process.stdout.isTTY = false;
  expect((await runCommand(["export", format], env)).out).toContain("\u009b");
});
