// SQL-27, SQL-28, SQL-29: files that are no databases, or no longer, and places where none should be.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hashTree, startRaw, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDatabase, opened, rowsOf } from "../support/databases.ts";
import { bin } from "../support/target.ts";
import { besiege, spoken, type Siege } from "./stress.ts";

/** Random flips: each of the many is a file of its own. */
const FLIPPED_FILES = process.env["OARLOCK_LONG"] === "1" ? 1000 : 12;
const posix = process.platform !== "win32";

const ROWS = `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON t(v); CREATE VIRTUAL TABLE f USING fts5(x);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 600) INSERT INTO t SELECT i, 'value ' || i FROM c;
  INSERT INTO f SELECT v FROM t;`;

/** The same flips in each run. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

const CALLS = [
  ["list_tables", { detail: "full" }],
  ["describe_table", { table_name: "t", sample_rows: 3 }],
  ["read_query", { query: "SELECT count(*), max(v) FROM t" }],
  ["read_query", { query: "SELECT * FROM t WHERE v = 'value 77'" }],
  ["read_query", { query: "SELECT * FROM f WHERE f MATCH 'value' LIMIT 3" }],
  ["read_query", { query: "PRAGMA integrity_check" }],
  ["check_database", {}],
  ["search_text", { query: "value 7" }],
  ["write_query", { query: "INSERT INTO t (v) VALUES ('new')" }],
  ["write_query", { query: "DELETE FROM t WHERE id > 590" }],
  ["write_query", { query: "INSERT INTO f VALUES ('more')" }],
] as const;

/** Everything is called; each answer is in words, none is a crash of the server. */
async function useAll(siege: Siege, database: string): Promise<boolean[]> {
  const failures: boolean[] = [];
  for (const [tool, args] of CALLS) {
    const said = await siege.says(tool, { database, ...args }, 8000);
    expect(said.text, `${database} ${tool}`).not.toContain("Internal error");
    failures.push(said.failed);
  }
  return failures;
}

test("SQL-27 random flips of bytes: an error or data, and the server lives on", async () => {
  await using siege = await besiege({
    args: (base) => ["--read-write", `${base}/ROOT/main.db`, `x=${base}/ROOT/flipped.db`],
    prepare: (made) => void makeDatabase(made.at("flipped.db"), ROWS),
  });
  const file = siege.at("flipped.db");
  const whole = readFileSync(file);
  const random = randomly(7);
  let damaged = 0;
  for (let turn = 0; turn < FLIPPED_FILES; turn++) {
    const bytes = Buffer.from(whole);
    // Every second one spares the first page, which would make a file no database at all.
    const from = turn % 2 === 0 ? 4096 : 0;
    for (let flip = 0; flip < 1 + random() * 60; flip++)
      bytes[from + Math.floor(random() * (bytes.length - from))]! ^= 1 << Math.floor(random() * 8);
    for (const side of ["-journal", "-wal", "-shm"]) rmSync(file + side, { force: true });
    writeFileSync(file, bytes);
    const calls = turn % 5 === 0 ? CALLS : CALLS.slice(0, 6);
    for (const [tool, args] of calls) {
      const said = await siege.says(tool, { database: "x", ...args }, 8000);
      expect(said.text, `${turn} ${tool}`).not.toContain("Internal error");
      if (said.failed) damaged += 1;
    }
  }
  expect(damaged).toBeGreaterThan(0);
  expect((await siege.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
  await siege.judge({ plain: false });
}, 300_000);

const WRECKS: readonly (readonly [what: string, wreck: (file: string) => void])[] = [
  ["cut to a page and a half", (file) => truncateSync(file, 6144)],
  ["cut in its header", (file) => truncateSync(file, 50)],
  ["cut by one byte", (file) => truncateSync(file, readFileSync(file).length - 1)],
  ["a text", (file) => writeFileSync(file, "This is no database, only words.\n".repeat(400))],
  ["zeros", (file) => writeFileSync(file, Buffer.alloc(20_000))],
  ["its pages in another order", (file) => writeFileSync(file, shuffled(readFileSync(file)))],
  ["a wrong encoding flag", (file) => patch(file, 56, [0, 0, 0, 9])],
  ["another encoding", (file) => patch(file, 56, [0, 0, 0, 2])],
  ["a huge page count", (file) => patch(file, 28, [0xff, 0xff, 0xff, 0xff])],
  ["a page size of 1", (file) => patch(file, 16, [0, 0])],
  ["a page size of 64 KiB", (file) => patch(file, 16, [0, 1])],
  ["a format from the future", (file) => patch(file, 18, [9, 9])],
  ["a schema format from the future", (file) => patch(file, 44, [0, 0, 0, 200])],
  ["a free list that leads astray", (file) => patch(file, 32, [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])],
  ["a schema in a loop", (file) => patch(file, 100, [5, 0, 0, 0, 1, 0, 100, 0, 0, 0, 0, 1])],
];

function patch(file: string, at: number, bytes: readonly number[]): void {
  const all = readFileSync(file);
  all.set(bytes, at);
  writeFileSync(file, all);
}

function shuffled(bytes: Buffer): Buffer {
  const pages = Array.from({ length: Math.floor(bytes.length / 4096) }, (_, at) => bytes.subarray(at * 4096, (at + 1) * 4096));
  return Buffer.concat([pages[0]!, ...pages.slice(1).toReversed()]);
}

describe("wrecks", () => {
  let siege: Siege;
  const names = WRECKS.map((_, at) => `x${at}`);
  beforeAll(async () => {
    siege = await besiege({
      args: (base) => ["--read-write", `${base}/ROOT/main.db`, ...names.map((name) => `${name}=${base}/ROOT/${name}.db`)],
      prepare(made) {
        for (const [at, [, wreck]] of WRECKS.entries()) {
          makeDatabase(made.at(`x${at}.db`), ROWS);
          wreck(made.at(`x${at}.db`));
        }
      },
    });
  });
  afterAll(() => siege[Symbol.asyncDispose]());

  test.each(WRECKS.map(([what], at) => [what, at] as const))(
    "SQL-27 %s: an error or right data from every tool, and the server lives on",
    async (_, at) => {
      await useAll(siege, `x${at}`);
      expect((await siege.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
      await siege.judge({ plain: false });
    },
  );
});

test("SQL-27 an empty file is an empty database", async () => {
  await using siege = await besiege({
    args: (base) => ["--read-write", `${base}/ROOT/empty.db`],
    prepare: (made) => writeFileSync(made.at("empty.db"), ""),
  });
  expect((await siege.says("list_tables", {})).structured).toMatchObject({ tables: [] });
  expect((await siege.says("create_table", { query: "CREATE TABLE t (a)" })).failed).toBe(false);
  expect(await siege.rows("SELECT count(*) FROM t")).toEqual([[0]]);
  await siege.judge({ plain: false });
});

/** How the server starts on a place, or what it says of it when it is called. */
async function served(folder: TempFolder, ...args: readonly string[]): Promise<{ started: boolean; said: string }> {
  await using server = startRaw({ ...bin([...args]), cwd: folder.path });
  const hello = await server.handshake().catch(() => undefined);
  if (hello?.["result"] === undefined) return { started: false, said: server.stderr };
  const answer = await server.request({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "read_query", arguments: { query: "SELECT * FROM users" } },
  });
  const { failed, text } = spoken(answer);
  return { started: !failed, said: text + server.stderr };
}

/** A file that was exchanged is noticed; the machine may be busy. */
const SOON = { timeout: 10_000, interval: 20 };

describe.runIf(posix)("SQL-28 odd places", () => {
  const secret = "CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('canary');";
  const world = (): TempFolder => {
    const folder = tempFolder({ ROOT: {}, OUT: {} });
    makeDatabase(folder.at("OUT", "outside.db"), secret);
    makeDatabase(folder.at("ROOT", "plain.db"), "CREATE TABLE users (name TEXT);");
    return folder;
  };

  test.each([
    ["a link out", (at: (name: string) => string, out: string) => symlinkSync(`${out}/outside.db`, at("x.db"))],
    ["a link to nowhere", (at: (name: string) => string, out: string) => symlinkSync(`${out}/new.db`, at("x.db"))],
    ["a directory", (at: (name: string) => string) => mkdirSync(at("x.db"))],
    ["a pipe", (at: (name: string) => string) => void execFileSync("mkfifo", [at("x.db")])],
    ["a link to a device", (at: (name: string) => string) => symlinkSync("/dev/zero", at("x.db"))],
    ["nothing", () => undefined],
    [
      "a journal that is a link out",
      (at: (name: string) => string, out: string) => (
        copyFileSync(at("plain.db"), at("x.db")),
        symlinkSync(`${out}/outside.db`, at("x.db-journal"))
      ),
    ],
    [
      "a WAL that is a link out",
      (at: (name: string) => string, out: string) => (copyFileSync(at("plain.db"), at("x.db")), symlinkSync(`${out}/new`, at("x.db-wal"))),
    ],
    [
      "shared memory that is a link out",
      (at: (name: string) => string, out: string) => (copyFileSync(at("plain.db"), at("x.db")), symlinkSync(`${out}/new`, at("x.db-shm"))),
    ],
    [
      "a journal that is a directory",
      (at: (name: string) => string) => (copyFileSync(at("plain.db"), at("x.db")), mkdirSync(at("x.db-journal"))),
    ],
  ])("SQL-28 %s: refused, and nothing outside is opened or made", async (_, make) => {
    await using folder = world();
    make((name) => folder.at("ROOT", name), folder.at("OUT"));
    const before = hashTree(folder.at("OUT"));
    for (const args of [[folder.at("ROOT", "x.db")], ["--read-write", folder.at("ROOT", "x.db")]]) {
      const { started, said } = await served(folder, ...args);
      expect(started, said).toBe(false);
      expect(said).not.toContain("canary");
      expect(said).not.toMatch(/at .*\.ts:\d+/);
    }
    expect(hashTree(folder.at("OUT"))).toBe(before);
  });

  test.each([
    ":memory:",
    "",
    " ",
    "file:ROOT/plain.db",
    "file:plain.db?mode=memory",
    "file::memory:?cache=shared",
    "x=:memory:",
    "x=file:plain.db",
  ])("SQL-28 %j on the command line: refused at the start", async (place) => {
    await using folder = world();
    const before = folder.hash();
    const { started, said } = await served(folder, "--read-write", place);
    expect(started, said).toBe(false);
    expect(folder.hash()).toBe(before);
  });

  test("SQL-28 no path, address or odd name is the name of a database", async () => {
    await using siege = await besiege();
    const others = ["../OUT/outside.db", "OUT/outside.db", `${siege.out}/outside.db`, ":memory:", "", "file:OUT/outside.db", "main.db"];
    for (const database of [...others, "MAIN", "main\u0000", "temp", "__proto__", "constructor", "main "]) {
      for (const [tool, args] of [
        ...CALLS,
        ["explain_query", { query: "SELECT 1" }],
        ["create_table", { query: "CREATE TABLE x (a)" }],
        ["run_transaction", { statements: [{ query: "DELETE FROM t" }] }],
      ] as const)
        expect((await siege.says(tool, { ...args, database })).failed, `${tool} ${database}`).toBe(true);
    }
    await siege.judge();
  });

  test("SQL-28 a file that is exchanged for a link while the server runs is not followed", async () => {
    await using siege = await besiege();
    await siege.plain();
    rmSync(siege.file);
    symlinkSync(`${siege.out}/outside.db`, siege.file);
    // Processes that have the old file open may answer from it; no new one may follow the link.
    const bomb = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    const bombs = [1, 2, 3, 4, 5, 6].map(() => siege.read(bomb, { timeout_ms: 400 }));
    await Promise.all(bombs);
    for (const _ of [1, 2, 3]) expect((await siege.read("SELECT secret FROM users")).failed).toBe(true);
    expect((await siege.write("DELETE FROM users")).failed).toBe(true);
    await siege.judge({ plain: false });
  });

  test.each(["list_tables", "describe_table", "read_query"])("SQL-28 %s of a file that was exchanged, and put back", async (tool) => {
    await using siege = await besiege();
    const args = {
      list_tables: {},
      describe_table: { table_name: "plain" },
      read_query: { query: "SELECT * FROM plain" },
    }[tool]!;
    const asked = () => siege.says(tool, args);
    expect(JSON.stringify((await asked()).structured)).toContain("plain");
    renameSync(siege.file, siege.at("kept.db"));
    symlinkSync(`${siege.out}/outside.db`, siege.file);
    await expect.poll(async () => (await asked()).text, SOON).toContain("symbolic link");
    for (const _ of [1, 2, 3]) expect((await asked()).text).toContain("symbolic link");
    // The same file again, which the process had open before.
    rmSync(siege.file);
    renameSync(siege.at("kept.db"), siege.file);
    await expect.poll(async () => (await asked()).failed, SOON).toBe(false);
    // Another one in its place, as a copy is put back.
    makeDatabase(siege.at("other.db"), "CREATE TABLE plain (word TEXT, restored TEXT)");
    renameSync(siege.at("other.db"), siege.file);
    await expect.poll(async () => JSON.stringify((await asked()).structured), SOON).toContain("restored");
    await siege.judge({ plain: false });
  });
});

test("SQL-28 the log of the database before is not taken for that of the one that was put in its place", async () => {
  await using siege = await besiege();
  const wal = (file: string, sql: string): void => {
    using db = opened(file);
    db.pragma("journal_mode = WAL");
    db.exec(sql);
  };
  const words = async () => (await siege.says("read_query", { query: "SELECT word FROM plain" })).text;
  wal(siege.file, "SELECT 1");
  for (let at = 0; at < 30; at++) await siege.write(`INSERT INTO plain VALUES ('old ${at}')`);
  expect(await words()).toContain("old 29");
  expect(statSync(`${siege.file}-wal`).size).toBeGreaterThan(0);
  wal(siege.at("other.db"), "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('new')");
  renameSync(siege.at("other.db"), siege.file);
  await expect.poll(words, SOON).toContain("new");
  expect(await words()).not.toContain("old");
  expect((await siege.write("INSERT INTO plain VALUES ('newer')")).failed).toBe(false);
  expect(rowsOf(siege.file, "SELECT word FROM plain")).toEqual([["new"], ["newer"]]);
  expect(rowsOf(siege.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
});

test("SQL-28 while another program reads in the log of the database before, nothing is written to the new one", async () => {
  await using siege = await besiege();
  using other = opened(siege.file);
  other.pragma("journal_mode = WAL");
  for (let at = 0; at < 5; at++) await siege.write(`INSERT INTO plain VALUES ('old ${at}')`);
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM plain").get();
  await siege.write("INSERT INTO plain VALUES ('old 5')");
  makeDatabase(siege.at("new.db"), "CREATE TABLE plain (word TEXT)");
  renameSync(siege.at("new.db"), siege.file);
  expect(await siege.write("INSERT INTO plain VALUES ('new')")).toMatchObject({ failed: true, text: expect.stringContaining("busy") });
  other.exec("COMMIT");
  expect((await siege.write("INSERT INTO plain VALUES ('new')")).failed).toBe(false);
  expect(rowsOf(siege.file, "SELECT word FROM plain")).toEqual([["new"]]);
});

test("SQL-28 who may not write says that the log of the database before lies there", async () => {
  await using siege = await besiege({ args: (base) => [`${base}/ROOT/main.db`] });
  const words = async () => (await siege.says("read_query", { query: "SELECT word FROM plain" })).text;
  using other = opened(siege.file);
  other.pragma("journal_mode = WAL");
  for (let at = 0; at < 30; at++) other.exec(`INSERT INTO plain VALUES ('old ${at}')`);
  // Looked at while the log lies there: a place is looked at each 0.2 seconds at most.
  const since = Date.now();
  await expect.poll(async () => (await words()).includes("old 29") && Date.now() - since > 500, SOON).toBe(true);
  makeDatabase(siege.at("other.db"), "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('new')");
  renameSync(siege.at("other.db"), siege.file);
  await expect.poll(words, SOON).toContain("-wal");
  expect(await words()).toContain("-wal");
  for (const end of ["-wal", "-shm"]) rmSync(siege.file + end, { force: true });
  await expect.poll(words, SOON).toContain("new");
});

test.each(["delete", "wal"])("SQL-28 what is written after the file was exchanged is in the new one, in journal mode %s", async (mode) => {
  await using siege = await besiege();
  const change = (file: string, sql: string): void => {
    using db = opened(file);
    db.pragma(`journal_mode = ${mode}`);
    db.exec(sql);
  };
  change(siege.file, "SELECT 1");
  for (let round = 0; round < 5; round++) {
    // The process that writes has the file open, and has just looked.
    expect((await siege.write(`INSERT INTO plain VALUES ('before ${round}')`)).failed).toBe(false);
    change(siege.at("other.db"), "CREATE TABLE plain (word TEXT)");
    for (const end of ["-wal", "-shm"]) rmSync(siege.file + end, { force: true });
    renameSync(siege.at("other.db"), siege.file);
    expect((await siege.write(`INSERT INTO plain VALUES ('after ${round}')`)).failed).toBe(false);
    expect(rowsOf(siege.file, "SELECT word FROM plain")).toEqual([[`after ${round}`]]);
  }
});

describe.runIf(posix && process.getuid?.() === 0)("SQL-29 a WAL that cannot be written", () => {
  test("SQL-29 a WAL database with a leftover WAL, read only, in a folder without the right to write: right data or clear words, and no file made", async () => {
    await using folder = tempFolder({ ROOT: {} });
    const file = folder.at("ROOT", "w.db");
    using db = opened(file);
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('in the WAL')");
    // As a program leaves it that was killed.
    const left = folder.at("left");
    mkdirSync(left);
    for (const name of readdirSync(folder.at("ROOT"))) copyFileSync(folder.at("ROOT", name), `${left}/${name}`);
    chmodSync(left, 0o777);
    rmSync(`${left}/w.db-shm`, { force: true });
    for (const name of readdirSync(left)) chmodSync(`${left}/${name}`, 0o444);
    chmodSync(left, 0o555);
    chmodSync(folder.path, 0o755);
    const before = readdirSync(left);
    const { started, said } = await served(folder, `${left}/w.db`);
    if (started) expect(said).toContain("in the WAL");
    else expect(said).toMatch(/read|write|WAL|folder|open/i);
    expect(said).not.toContain("Internal error");
    // Root may write anywhere; whoever may not leaves the folder as it was.
    expect(readdirSync(left).filter((name) => !name.endsWith("-shm"))).toEqual(before.filter((name) => !name.endsWith("-shm")));
    chmodSync(left, 0o777);
  });
});

test("SQL-29 a WAL database is read beside its writer, with what is only in the WAL", async () => {
  await using folder = tempFolder();
  const file = folder.at("w.db");
  using db = opened(file);
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('in the WAL')");
  const { started, said } = await served(folder, file);
  expect(started, said).toBe(true);
  expect(said).toContain("in the WAL");
  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
});
