// backup and restore: copies while a server writes, and what a restore replaces.
import { closeSync, existsSync, openSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { needs, tempFolder, type TempFolder } from "@oarlock/testing";
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

function damage(folder: TempFolder, content: string): void {
  for (const ending of ["-wal", "-shm"]) rmSync(folder.at(`m.db${ending}`), { force: true }); // all of the memory may be there
  writeFileSync(folder.at("m.db"), content);
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
    const { code, stderr } = await run(["backup", folder.at("copy.db"), "--db", file]);
    expect([code, stderr]).toEqual([0, [expect.stringMatching(/^Backed up .* to .*copy\.db\.$/)]]);
    await server.call("create_entities", { entities: [entity("late", "t")] });
    expect(await namesIn(file)).toEqual(["early", "late"]);
  }
  if (!isWindows) expect(statSync(folder.at("copy.db")).mode & 0o777).toBe(0o600);
  const refused = await run(["restore", folder.at("copy.db"), "--db", file]);
  expect([refused.code, refused.stderr.join()]).toEqual([2, expect.stringContaining("would be replaced. Nothing was changed. Add --yes")]);
  const done = await run(["restore", folder.at("copy.db"), "--db", file, "--yes"]);
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
  await run(["backup", folder.at("copy.db"), "--db", folder.at("m.db")]);
  await using server = await serveInProcess(folder.at("m.db"));
  await server.names();
  const busy = await run(["restore", folder.at("copy.db"), "--db", folder.at("m.db"), "--yes"]);
  expect([busy.code, busy.stderr.join()]).toEqual([3, expect.stringMatching(/is in use\. Nothing was changed\. Stop the servers/)]);
  expect(await server.names()).toEqual(["a"]);
  const again = await run(["backup", folder.at("copy.db"), "--db", folder.at("m.db")]);
  expect([again.code, again.stderr.join()]).toEqual([3, expect.stringContaining("exists: a backup replaces nothing")]);
});

test("restores where the memory is damaged or missing", async () => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  await run(["backup", folder.at("copy.db"), "--db", folder.at("m.db")]);
  writeFileSync(folder.at("m.db"), "SQLite format 3\0 and nothing more".repeat(400));
  expect(await run(["restore", folder.at("copy.db"), "--db", folder.at("m.db"), "--yes"])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("m.db"))).toEqual(["a"]);
  expect(await run(["restore", folder.at("copy.db"), "--db", folder.at("new/m.db")])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("new/m.db"))).toEqual(["a"]);
  writeFileSync(folder.at("m.db"), "another file".repeat(400));
  expect((await run(["export", "--db", folder.at("m.db")])).stderr.join()).toContain(
    "put a backup in its place: oarlock-memory restore BACKUP",
  );
  expect(await run(["restore", folder.at("copy.db"), "--db", folder.at("m.db"), "--yes"])).toMatchObject({ code: 0 });
});

test("refuses to restore over a damaged memory that a process has open", needs("/proc"), async () => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  await run(["backup", folder.at("copy.db"), "--db", folder.at("m.db")]);
  damage(folder, "another file".repeat(400));
  const restore = () => run(["restore", folder.at("copy.db"), "--db", folder.at("m.db"), "--yes"]);
  const descriptor = openSync(folder.at("m.db"), "r");
  const { code, stderr } = await restore();
  closeSync(descriptor);
  expect([code, stderr.join()]).toEqual([3, expect.stringContaining(`m.db is in use by process ${process.pid}. Nothing was changed.`)]);
  expect(folder.read("m.db")).toContain("another file");
  expect(await restore()).toMatchObject({ code: 0 });
});

test("backs all memories up into a folder, and restores all of them", async () => {
  await using folder = tempFolder({ copies: {} });
  for (const name of ["m.jsonl", "m.work.jsonl"]) await fill(folder.at(name), `of ${name}`);
  const db = ["--db", folder.at("m.jsonl")];
  expect(await run(["backup", folder.at("file.db"), ...db])).toMatchObject({
    code: 2,
    stderr: [expect.stringContaining("There are 2 memories")],
  });
  expect(await run(["backup", folder.at("copies"), ...db])).toMatchObject({ code: 0 });
  expect(Object.keys(folder.tree()).filter((name) => name.startsWith("copies/m"))).toEqual(["copies/m.jsonl.db", "copies/m.work.jsonl.db"]);
  expect(await run(["backup", folder.at("one.db"), "--scope", "work", ...db])).toMatchObject({ code: 0 });
  expect(await run(["restore", folder.at("copies"), "--db", folder.at("there/m.jsonl")])).toMatchObject({ code: 0 });
  expect(await namesIn(folder.at("there/m.work.jsonl"))).toEqual(["of m.work.jsonl"]);
});

test("refuses a file for the only memory of a user, which would look like the default one", async () => {
  await using folder = tempFolder({ copies: {} });
  await fill(folder.at("m.work.db"), "a");
  const db = ["--db", folder.at("m.db")];
  expect(await run(["backup", folder.at("copy.db"), ...db])).toMatchObject({
    code: 2,
    stderr: [expect.stringContaining("m.work.db is the memory of one user or project: name an existing folder")],
  });
  expect(existsSync(folder.at("copy.db"))).toBe(false);
  expect(await run(["backup", folder.at("copies"), ...db])).toMatchObject({ code: 0 });
  expect(await run(["backup", folder.at("copy.db"), "--scope", "work", ...db])).toMatchObject({ code: 0 });
});

test("makes no file of the name of a folder that is missing", async () => {
  await using folder = tempFolder();
  await fill(folder.at("m.db"), "a");
  const { code, stderr } = await run(["backup", folder.at("copies"), "--db", folder.at("m.db")]);
  expect([code, stderr.join()]).toEqual([
    2,
    expect.stringMatching(/Folder .*copies does not exist: make it first, or name a file such as/),
  ]);
});

const damages: [name: string, content: string][] = [
  ["another file", "no database".repeat(1000)],
  ["a short file", "no database"],
  ["a cut header", "SQLite format 3\0 and nothing more".repeat(400)],
];

test.each(damages)("copies and lists the other memories where one is %s", async (_name, broken) => {
  await using folder = tempFolder({ copies: {} });
  for (const name of ["m.db", "m.work.db"]) await fill(folder.at(name), `of ${name}`);
  damage(folder, broken);
  const { code, stderr } = await run(["backup", folder.at("copies"), "--db", folder.at("m.db")]);
  expect([code, stderr]).toEqual([
    1,
    [
      expect.stringMatching(/^Error: .*m\.db was not copied: .*damaged/),
      expect.stringMatching(/^Backed up .*m\.work\.db/),
      "1 of 2 memories were not copied.",
    ],
  ]);
  const list = await run(["users", "list", "--db", folder.at("m.db")]);
  expect([list.code, list.out]).toEqual([1, expect.stringContaining("m.work.db\t1 entity")]);
  expect(list.stderr.join()).toMatch(/m\.db cannot be read: .*damaged/);
});

test("restores no memory of a folder while a server has one of them open", async () => {
  await using folder = tempFolder({ copies: {} });
  for (const name of ["m.db", "m.work.db"]) await fill(folder.at(name), `of ${name}`);
  await run(["backup", folder.at("copies"), "--db", folder.at("m.db")]);
  await fill(folder.at("m.db"), "later");
  await using server = await serveInProcess(folder.at("m.work.db"));
  await server.names();
  const { code, stderr } = await run(["restore", folder.at("copies"), "--db", folder.at("m.db"), "--yes"]);
  expect([code, stderr.join()]).toEqual([3, expect.stringMatching(/m\.work\.db is in use\. Nothing was changed/)]);
  expect(await namesIn(folder.at("m.db"))).toEqual(["of m.db", "later"]);
});

const wrong: [what: string, make: (folder: TempFolder) => unknown, reason: RegExp][] = [
  ["a text", (folder) => writeFileSync(folder.at("copy.db"), "a text"), /is damaged \(SQLITE_NOTADB\)/],
  ["nothing", () => undefined, /does not exist/],
  ["a link", (folder) => symlinkSync(folder.at("m.db"), folder.at("copy.db")), /is a symbolic link/],
  [
    "a newer format",
    async (folder) => {
      const store = await openStore(folder.at("copy.db"));
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
  const { code, stderr } = await run(["restore", folder.at("copy.db"), "--db", folder.at("m.db"), "--yes"]);
  expect([code, stderr.join()]).toEqual([3, expect.stringMatching(reason)]);
  expect(await namesIn(folder.at("m.db"))).toEqual(["a"]);
  expect(existsSync(folder.at("m.db"))).toBe(true);
});
