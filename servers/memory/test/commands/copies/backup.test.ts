// backup and restore: copies while a server writes, and what a restore replaces.
import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openStore } from "../../../src/graph/store/open-store.ts";
import { entity, jsonl } from "../../support/graphs.ts";
import { serveInProcess } from "../../support/in-process.ts";
import { runCommand as run } from "../../support/run-command.ts";

const isWindows = process.platform === "win32";

/** A memory with an entity for each name, in calls of their own. */
async function fill(file: string, ...names: string[]): Promise<void> {
  await using server = await serveInProcess(file);
  for (const name of names) await server.call("create_entities", { entities: [entity(name, "t", `about ${name}`)] });
}

const namesIn = async (file: string): Promise<string[]> => {
  const { out } = await run(["export", "--json", "--db", file]);
  return (JSON.parse(out) as { entities: { name: string }[] }).entities.map(({ name }) => name);
};

test.each(["m.db", "m.jsonl"])("backs %s up while a server writes it, and restores that state", async (name) => {
  await using folder = tempFolder({ copies: {} });
  const file = folder.at(name);
  {
    await using server = await serveInProcess(file);
    await server.call("create_entities", { entities: [entity("early", "t", "about early")] });
    const { code, stderr } = await run(["backup", folder.at("copy"), "--db", file]);
    expect([code, stderr]).toEqual([0, [expect.stringMatching(/^Backed up .* to .*copy\.$/)]]);
    await server.call("create_entities", { entities: [entity("late", "t")] });
    expect(await namesIn(file)).toEqual(["early", "late"]);
  }
  if (!isWindows) expect(statSync(folder.at("copy")).mode & 0o777).toBe(0o600);
  const refused = await run(["restore", folder.at("copy"), "--db", file]);
  expect([refused.code, refused.stderr.join()]).toEqual([2, expect.stringContaining("would be replaced. Nothing was changed. Add --yes")]);
  const done = await run(["restore", folder.at("copy"), "--db", file, "--yes"]);
  expect([done.code, done.stderr.at(-1)]).toEqual([0, expect.stringMatching(/^Restored .*: 1 entity and 0 relations\.$/)]);
  expect(await namesIn(file)).toEqual(["early"]);
  if (name === "m.jsonl") expect(folder.read(name)).toBe(jsonl([entity("early", "t", "about early")]));
  // What was replaced is there, and can be restored too.
  const kept = Object.keys(folder.tree()).find((one) => one.startsWith(name === "m.db" ? "m.db.backup-" : "m.jsonl.db.backup-")) ?? "";
  expect(await run(["restore", folder.at(kept), "--db", file, "--yes"])).toMatchObject({ code: 0 });
  expect(await namesIn(file)).toEqual(["early", "late"]);
});

test("refuses to restore while a server has the memory open, and to replace a file by a backup", async () => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  await run(["backup", folder.at("copy"), "--db", folder.at("m.db")]);
  await using server = await serveInProcess(folder.at("m.db"));
  await server.names();
  const busy = await run(["restore", folder.at("copy"), "--db", folder.at("m.db"), "--yes"]);
  expect([busy.code, busy.stderr.join()]).toEqual([3, expect.stringMatching(/is in use\. Nothing was changed\. Stop the servers/)]);
  expect(await server.names()).toEqual(["a"]);
  const again = await run(["backup", folder.at("copy"), "--db", folder.at("m.db")]);
  expect([again.code, again.stderr.join()]).toEqual([3, expect.stringContaining("exists: a backup replaces nothing")]);
});

test("restores where the memory is damaged or missing", async () => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  await run(["backup", folder.at("copy"), "--db", folder.at("m.db")]);
  writeFileSync(folder.at("m.db"), "SQLite format 3\0 and nothing more".repeat(400));
  expect(await run(["restore", folder.at("copy"), "--db", folder.at("m.db"), "--yes"])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("m.db"))).toEqual(["a"]);
  expect(await run(["restore", folder.at("copy"), "--db", folder.at("new/m.db")])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("new/m.db"))).toEqual(["a"]);
});

test("backs all memories up into a folder, and restores all of them", async () => {
  await using folder = tempFolder({ copies: {} });
  for (const name of ["m.jsonl", "m.work.jsonl"]) await fill(folder.at(name), `of ${name}`);
  const db = ["--db", folder.at("m.jsonl")];
  expect(await run(["backup", folder.at("file"), ...db])).toMatchObject({
    code: 2,
    stderr: [expect.stringContaining("There are 2 memories")],
  });
  expect(await run(["backup", folder.at("copies"), ...db])).toMatchObject({ code: 0 });
  expect(Object.keys(folder.tree()).filter((name) => name.startsWith("copies/m"))).toEqual(["copies/m.jsonl.db", "copies/m.work.jsonl.db"]);
  expect(await run(["backup", folder.at("one"), "--scope", "work", ...db])).toMatchObject({ code: 0 });
  expect(await run(["restore", folder.at("copies"), "--db", folder.at("there/m.jsonl")])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("there/m.work.jsonl"))).toEqual(["of m.work.jsonl"]);
});

const wrong: [what: string, make: (folder: TempFolder) => unknown, reason: RegExp][] = [
  ["a text", (folder) => writeFileSync(folder.at("copy"), "a text"), /is damaged \(SQLITE_NOTADB\)/],
  ["nothing", () => undefined, /does not exist/],
  ["a link", (folder) => symlinkSync(folder.at("m.db"), folder.at("copy")), /is a symbolic link/],
  [
    "a newer format",
    async (folder) => {
      const store = await openStore(folder.at("copy"));
      store.db.pragma("user_version = 99");
      store.close();
    },
    /^Error: Memory has format 99, and this server reads up to format \d+: a newer server has upgraded it\. Nothing was changed\. Update this server/,
  ],
];

test.each(wrong)("restores no backup that is %s", async (_what, make, reason) => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  await make(folder);
  const { code, stderr } = await run(["restore", folder.at("copy"), "--db", folder.at("m.db"), "--yes"]);
  expect([code, stderr.join()]).toEqual([3, expect.stringMatching(reason)]);
  expect(await namesIn(folder.at("m.db"))).toEqual(["a"]);
  expect(existsSync(folder.at("m.db"))).toBe(true);
});
