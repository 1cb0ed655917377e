// Every format that a store in SQLite has had, in files that the servers of their time wrote: upgraded after a backup, and refused where
// a newer server has upgraded it.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { FORMAT_VERSION } from "../../src/graph/sqlite/tables.ts";
import { entity } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { runCommand as run } from "../support/run-command.ts";
import { checkUpgraded } from "../formats/upgraded.ts";

const FORMATS = Array.from({ length: FORMAT_VERSION }, (_, at) => at + 1);

const stored = (format: number): Buffer => gunzipSync(readFileSync(new URL(`../formats/sqlite-${format}.db.gz`, import.meta.url)));

function formatOf(file: string): unknown {
  const db = new Database(file, { readonly: true });
  const format = db.pragma("user_version", { simple: true });
  db.close();
  return format;
}

function setFormat(file: string, format: number): void {
  const db = new Database(file);
  db.pragma(`user_version = ${format}`);
  db.close();
}

test.each(FORMATS)("upgrades format %d after a backup, and keeps facts and history", async (format) => {
  await using folder = tempFolder();
  writeFileSync(folder.at("m.db"), stored(format));
  {
    await using server = await serveInProcess(folder.at("m.db"));
    await checkUpgraded(server);
  }
  expect(formatOf(folder.at("m.db"))).toBe(FORMAT_VERSION);
  const backups = Object.keys(folder.tree()).filter((name) => name.startsWith("m.db.backup-"));
  expect(backups.map((name) => formatOf(folder.at(name)))).toEqual(format < FORMAT_VERSION ? [format] : []);
  expect(await run(["verify", "--db", folder.at("m.db")])).toMatchObject({ code: 0 });
  // The way back: what the older server had, in its format.
  const [backup] = backups;
  if (backup === undefined) return;
  expect(await run(["restore", folder.at(backup), "--db", folder.at("old.db")])).toMatchObject({ code: 0 });
});

const REFUSAL = new RegExp(
  `Memory has format ${FORMAT_VERSION + 1}, and this server reads up to format ${FORMAT_VERSION}: a newer server has upgraded it\\. Nothing was changed\\. Update this server, or restore a backup`,
);

test("refuses a newer format with one sentence, at the start, in each command, and in a server that runs already", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using running = await serveInProcess(file);
  await running.does("create_entities", { entities: [entity("a", "t")] });
  setFormat(file, FORMAT_VERSION + 1);
  const before = readFileSync(file);
  expect(await running.refuses("open_nodes", { names: ["a"] })).toMatch(REFUSAL);
  expect(await running.refuses("create_entities", { entities: [entity("b", "t")] })).toMatch(REFUSAL);
  await using started = await serveInProcess(file);
  expect(await started.refuses("read_graph")).toMatch(REFUSAL);
  for (const words of [["export"], ["verify"], ["compact"], ["digest"], ["import", folder.at("in.jsonl")]]) {
    writeFileSync(folder.at("in.jsonl"), '{"type":"entity","name":"c","entityType":"t","observations":[]}\n');
    const { code, stderr } = await run([...words, "--db", file]);
    expect([words[0], code === 0, stderr.join()]).toEqual([words[0], false, expect.stringMatching(REFUSAL)]);
  }
  expect(readFileSync(file).equals(before)).toBe(true);
  setFormat(file, FORMAT_VERSION);
  expect(await running.names()).toEqual(["a"]);
});
