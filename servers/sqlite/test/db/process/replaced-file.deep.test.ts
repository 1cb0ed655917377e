// A file that is replaced while the log of the old one (-wal) lies beside it: no process takes that log for the one of the new file.
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startStress, type StressRun } from "../../cases/stress.ts";
import { waitUntil } from "@oarlock/testing";
import { makeDatabase, openDatabase, rowsOf } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";

/** Only a watch that misses the new file takes so long. */
const HANG_MS = 30_000;
const BOMB = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";

/** Another program that reads the old file in WAL mode, so that its log cannot be emptied. */
async function startOldReader(stress: StressRun, insert: (word: string) => unknown): Promise<ReturnType<typeof openDatabase>> {
  const other = openDatabase(stress.file);
  other.pragma("journal_mode = WAL");
  for (let at = 0; at < 5; at++) await insert(`old ${at}`);
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM plain").get();
  await insert("old 5");
  expect(statSync(`${stress.file}-wal`).size).toBeGreaterThan(0);
  return other;
}

const insertByServer =
  (stress: StressRun) =>
  (word: string): unknown =>
    stress.write("INSERT INTO plain VALUES (?)", { params: [word] });

/** By a program that goes on using the file. */
const insertBy =
  (db: ReturnType<typeof openDatabase>) =>
  (word: string): unknown =>
    db.prepare("INSERT INTO plain VALUES (?)").run(word);

function replace(stress: StressRun, mode: string): void {
  makeDatabase(stress.at("new.db"), `PRAGMA journal_mode = ${mode}; CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('new')`);
  renameSync(stress.at("new.db"), stress.file);
}

const withFiles = (base: string): string[] => ["--read-write", "--toolsets=default,files", `${base}/ROOT/main.db`];
const wordsIn = (file: string): unknown => rowsOf(file, "SELECT word FROM plain");

describe.each(["delete", "wal"])("SQL-28 a file in journal mode %s that replaces one with a log", (mode) => {
  test("accepts writes after readers were started in between", async () => {
    await using stress = await startStress();
    using other = await startOldReader(stress, insertByServer(stress));
    replace(stress, mode);
    // The readers of the old file are stopped, and others started.
    await Promise.all([1, 2].map(() => stress.read(BOMB, { timeout_ms: 400 })));
    expect((await stress.read("SELECT word FROM plain")).text).toMatch(/busy/);
    other.exec("COMMIT");
    expect(await stress.write("INSERT INTO plain VALUES ('newer')")).toMatchObject({ failed: false });
    expect(await stress.rows("SELECT word FROM plain")).toEqual([["new"], ["newer"]]);
    expect(wordsIn(stress.file)).toEqual([["new"], ["newer"]]);
    expect(rowsOf(stress.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
  });

  test("is exported with its own rows", async () => {
    await using stress = await startStress({ args: withFiles });
    using other = await startOldReader(stress, insertByServer(stress));
    replace(stress, mode);
    const exportTo = (path: string) => stress.reply("export_query", { query: "SELECT word FROM plain", path });
    expect(await exportTo("busy.csv")).toMatchObject({ failed: true, text: expect.stringContaining("busy") as string });
    expect(existsSync(stress.at("busy.csv"))).toBe(false);
    other.exec("COMMIT");
    expect(await exportTo("out.csv")).toMatchObject({ failed: false });
    expect(readFileSync(stress.at("out.csv"), "utf8")).toBe("word\r\nnew\r\n");
    expect(await stress.write("INSERT INTO plain VALUES ('newer')")).toMatchObject({ failed: false });
    expect(wordsIn(stress.file)).toEqual([["new"], ["newer"]]);
  });

  test("is not opened by a first change, which would write the old rows into it", async () => {
    await using stress = await startStress();
    await stress.checkHealth();
    using third = openDatabase(stress.file);
    using other = await startOldReader(stress, insertBy(third));
    await stress.read("SELECT 1"); // the server has seen the log
    replace(stress, mode);
    const refused = { failed: true, text: expect.stringContaining("delete its -wal and -shm files") as string };
    expect(await stress.write("INSERT INTO plain VALUES ('newer')")).toMatchObject(refused);
    expect(await stress.read("SELECT word FROM plain")).toMatchObject(refused);
    for (const db of [other, third]) db.close();
    for (const end of ["-wal", "-shm"]) rmSync(stress.file + end, { force: true });
    expect(await stress.write("INSERT INTO plain VALUES ('newer')")).toMatchObject({ failed: false });
    expect(wordsIn(stress.file)).toEqual([["new"], ["newer"]]);
  });
});

test("SQL-28 names the log of another file beside it at the start", async () => {
  await using stress = await startStress({
    prepare: (run) => {
      const old = makeDatabase(run.at("old.db"), "PRAGMA journal_mode = WAL; CREATE TABLE plain (word TEXT)");
      using other = openDatabase(old);
      other.exec("INSERT INTO plain VALUES ('old')");
      renameSync(`${old}-wal`, `${run.file}-wal`);
    },
  });
  const refused = { failed: true, text: expect.stringContaining("delete its -wal and -shm files") as string };
  expect(await stress.read("SELECT word FROM plain")).toMatchObject(refused);
  expect(await stress.write("INSERT INTO plain VALUES ('x')")).toMatchObject(refused);
  rmSync(`${stress.file}-wal`);
  expect(await stress.rows("SELECT word FROM plain")).toEqual([["plain"]]);
});

test("SQL-28 continues a subscription after the file was replaced beside its log", async () => {
  await using shop = await openShop({ sql: "PRAGMA journal_mode = WAL; CREATE TABLE plain (word TEXT)" });
  await shop.call("write_query", { query: "INSERT INTO plain VALUES ('first')" });
  const seen = { schema: 0 };
  await shop.client.subscribe("sqlite://shop/schema", () => {
    seen.schema += 1;
  });
  using other = openDatabase(shop.file);
  other.exec("INSERT INTO plain VALUES ('old')");
  const replacement = makeDatabase(shop.folder.at("new.db"), "CREATE TABLE other (word TEXT)");
  renameSync(replacement, shop.file);
  await waitUntil(
    () => seen.schema,
    (count) => count > 0,
    HANG_MS,
  );
  using third = openDatabase(shop.file);
  expect(() => third.exec("CREATE TABLE more (a)")).not.toThrow();
});
