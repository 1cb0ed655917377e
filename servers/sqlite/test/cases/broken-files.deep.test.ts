// SQL-27, SQL-28, SQL-29: damaged files, files that are not databases, replaced files, and paths that must not be opened.
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
import { hashTree, needs, startRaw, tempFolder, type TempFolder, toReply, type ToolReply } from "@oarlock/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findServedFiles } from "../../src/served-files.ts";
import { makeDatabase, openDatabase, rowsOf } from "../support/databases.ts";
import { bin } from "../support/target.ts";
import { PLAIN } from "./fortress.ts";
import { startStress, type StressRun } from "./stress.ts";

/** Number of servers that get files with random bit flips. */
const FLIPPED_SERVERS = process.env["OARLOCK_LONG"] === "1" ? 100 : 1;
/** Number of those files that a server gets. */
const FLIPPED_FILES = 10;
const posix = process.platform !== "win32";

const ROWS = `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON t(v); CREATE VIRTUAL TABLE f USING fts5(x);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 600) INSERT INTO t SELECT i, 'value ' || i FROM c;
  INSERT INTO f SELECT v FROM t;`;

/** The same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
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

/** Calls every tool; none may report an internal error. */
async function callAll(stress: StressRun, database: string): Promise<void> {
  for (const [tool, args] of CALLS) {
    const { text } = await stress.reply(tool, { database, ...args });
    expect(text, `${database} ${tool}`).not.toContain("Internal error");
  }
}

test("SQL-27 survives files with random bit flips", async () => {
  const random = randomNumbers(7);
  for (let at = 0; at < FLIPPED_SERVERS; at++) {
    // A file for each round, damaged before it is opened: SQLite keeps the pages that it has read of a file.
    const names = Array.from({ length: FLIPPED_FILES }, (_, round) => `x${round}`);
    await using stress = await startStress({
      args: (base) => ["--read-write", `${base}/ROOT/main.db`, ...names.map((name) => `${name}=${base}/ROOT/${name}.db`)],
      prepare(harness) {
        const whole = readFileSync(makeDatabase(harness.at("whole.db"), ROWS));
        for (const [round, name] of names.entries()) writeFileSync(harness.at(`${name}.db`), flipped(whole, round, random));
      },
    });
    let damaged = 0;
    for (const [round, database] of names.entries()) {
      const calls = round % 5 === 0 ? CALLS : CALLS.slice(0, 6);
      for (const [tool, args] of calls) {
        const reply = await stress.reply(tool, { database, ...args });
        expect(reply.text, `${round} ${tool}`).not.toContain("Internal error");
        if (reply.failed) damaged += 1;
      }
    }
    expect(damaged).toBeGreaterThan(0);
    expect((await stress.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
    await stress.checkRules({ plain: false });
  }
});

/** The file with up to 61 flipped bits. Every second file keeps its first page, so that SQLite opens it. */
function flipped(file: Buffer, round: number, random: () => number): Buffer {
  const bytes = Buffer.from(file);
  const from = round % 2 === 0 ? 4096 : 0;
  for (let flip = 0; flip < 1 + random() * 60; flip++)
    bytes[from + Math.floor(random() * (bytes.length - from))]! ^= 1 << Math.floor(random() * 8);
  return bytes;
}

const DAMAGES: readonly (readonly [what: string, damage: (file: string) => void])[] = [
  ["a file cut to a page and a half", (file) => truncateSync(file, 6144)],
  ["a file cut in its header", (file) => truncateSync(file, 50)],
  ["a file cut by one byte", (file) => truncateSync(file, readFileSync(file).length - 1)],
  ["a text file", (file) => writeFileSync(file, "This is not a database.\n".repeat(400))],
  ["a file of zeros", (file) => writeFileSync(file, Buffer.alloc(20_000))],
  ["a file with reordered pages", (file) => writeFileSync(file, shuffled(readFileSync(file)))],
  ["an invalid encoding flag", (file) => patch(file, 56, [0, 0, 0, 9])],
  ["the flag of another encoding", (file) => patch(file, 56, [0, 0, 0, 2])],
  ["a huge page count", (file) => patch(file, 28, [0xff, 0xff, 0xff, 0xff])],
  ["a page size of 1", (file) => patch(file, 16, [0, 0])],
  ["a page size of 64 KiB", (file) => patch(file, 16, [0, 1])],
  ["a format from the future", (file) => patch(file, 18, [9, 9])],
  ["a schema format from the future", (file) => patch(file, 44, [0, 0, 0, 200])],
  ["a free list with invalid pages", (file) => patch(file, 32, [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])],
  ["a schema tree that contains itself", (file) => patch(file, 100, [5, 0, 0, 0, 1, 0, 100, 0, 0, 0, 0, 1])],
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

describe("damaged files", () => {
  let stress: StressRun;
  const names = DAMAGES.map((_, at) => `x${at}`);
  beforeAll(async () => {
    stress = await startStress({
      args: (base) => ["--read-write", `${base}/ROOT/main.db`, ...names.map((name) => `${name}=${base}/ROOT/${name}.db`)],
      prepare(harness) {
        for (const [at, [, damage]] of DAMAGES.entries()) {
          makeDatabase(harness.at(`x${at}.db`), ROWS);
          damage(harness.at(`x${at}.db`));
        }
      },
    });
  });
  afterAll(() => stress[Symbol.asyncDispose]());

  test.each(DAMAGES.map(([what], at) => [what, at] as const))("SQL-27 are survived by the server: %s", async (_, at) => {
    await callAll(stress, `x${at}`);
    expect((await stress.read("SELECT word FROM plain", { database: "main" })).structured).toMatchObject({ rows: [["plain"]] });
    await stress.checkRules({ plain: false });
  });
});

test("SQL-27 include an empty file, which is served as an empty database", async () => {
  await using stress = await startStress({
    args: (base) => ["--read-write", `${base}/ROOT/empty.db`],
    prepare: (harness) => writeFileSync(harness.at("empty.db"), ""),
  });
  expect((await stress.reply("list_tables", {})).structured).toMatchObject({ tables: [] });
  expect((await stress.reply("create_table", { query: "CREATE TABLE t (a)" })).failed).toBe(false);
  expect(await stress.rows("SELECT count(*) FROM t")).toEqual([[0]]);
  await stress.checkRules({ plain: false });
});

/** Starts the server and reads from the database; `output` is the reply and stderr. */
async function served(folder: TempFolder, ...args: readonly string[]): Promise<{ started: boolean; output: string }> {
  await using server = startRaw({ ...bin([...args]), cwd: folder.path });
  const hello = await server.handshake().catch(() => undefined);
  if (hello?.["result"] === undefined) return { started: false, output: server.stderr };
  const answer = await server.request({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "read_query", arguments: { query: "SELECT * FROM users" } },
  });
  const { failed, text } = toReply(answer);
  return { started: !failed, output: text + server.stderr };
}

/** Only a server that does not notice a replaced file takes so long. */
const NOTICED = { timeout: 60_000, interval: 20 };

describe("SQL-28 unusual paths", needs("special files"), () => {
  const UNUSUAL: readonly (readonly [what: string, make: (file: string, out: string) => void, reason: string])[] = [
    ["a link to a file outside", (file, out) => symlinkSync(`${out}/outside.db`, file), "is a symbolic link"],
    ["a dangling link", (file, out) => symlinkSync(`${out}/new.db`, file), "is a symbolic link"],
    ["a directory", (file) => mkdirSync(file), "is a directory"],
    ["a pipe", (file) => execFileSync("mkfifo", [file]), "is not an ordinary file"],
    ["a link to a device", (file) => symlinkSync("/dev/zero", file), "is a symbolic link"],
    ["a missing file", () => undefined, "does not exist"],
    ["a journal that is a link", (file, out) => symlinkSync(`${out}/outside.db`, beside(file, "-journal")), ": the journal beside"],
    ["a WAL that is a link", (file, out) => symlinkSync(`${out}/new`, beside(file, "-wal")), ": the wal beside"],
    ["a shared-memory file that is a link", (file, out) => symlinkSync(`${out}/new`, beside(file, "-shm")), ": the shm beside"],
    ["a journal that is a directory", (file) => mkdirSync(beside(file, "-journal")), ": the journal beside"],
  ];

  /** Makes the database, and names what lies beside it. */
  const beside = (file: string, end: string): string => makeDatabase(file, "CREATE TABLE users (name TEXT);") + end;

  describe("of a database", () => {
    const pathOf = (folder: TempFolder, at: number): string => folder.at("ROOT", `x${at}.db`);
    let folder: TempFolder;
    let outside: string;
    /** What a server says that gets all paths: one that only reads, and one that may write. */
    let outputs: readonly string[];

    beforeAll(async () => {
      folder = tempFolder({ ROOT: {}, OUT: {} });
      makeDatabase(folder.at("OUT", "outside.db"), "CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('canary');");
      for (const [at, [, make]] of UNUSUAL.entries()) make(pathOf(folder, at), folder.at("OUT"));
      outside = hashTree(folder.at("OUT"));
      const paths = UNUSUAL.map((_, at) => pathOf(folder, at));
      const runs = await Promise.all([paths, ["--read-write", ...paths]].map((args) => served(folder, ...args)));
      expect(runs.map(({ started }) => started)).toEqual([false, false]);
      outputs = runs.map(({ output }) => output);
    });

    afterAll(() => folder[Symbol.asyncDispose]());

    test.each(UNUSUAL.map(([what, , reason], at) => [what, at, reason] as const))(
      "SQL-28 are refused without touching files outside: %s",
      (_, at, reason) => {
        for (const output of outputs) {
          expect(output).toContain("No database can be served: ");
          expect(output).toContain(`${pathOf(folder, at)}${reason.startsWith(":") ? "" : " "}${reason}`);
          expect(output).not.toContain("canary");
          expect(output).not.toMatch(/at .*\.ts:\d+/);
        }
        expect(hashTree(folder.at("OUT"))).toBe(outside);
      },
    );
  });

  // In a process, start.deep.test.ts shows it for the first of them.
  test.each([
    ":memory:",
    "",
    " ",
    "file:ROOT/plain.db",
    "file:plain.db?mode=memory",
    "file::memory:?cache=shared",
    "x=:memory:",
    "x=file:plain.db",
  ])("SQL-28 are refused on the command line: %j", (place) => {
    const line = { positionals: [place], dbPath: undefined, readWrite: true, readOnly: false };
    expect(() => findServedFiles(line)).toThrow("expected the path of a file");
  });

  test("SQL-28 are refused in the argument database, which accepts configured names only", async () => {
    await using stress = await startStress();
    const others = ["../OUT/outside.db", "OUT/outside.db", `${stress.out}/outside.db`, ":memory:", "", "file:OUT/outside.db", "main.db"];
    for (const database of [...others, "MAIN", "main\u0000", "temp", "__proto__", "constructor", "main "]) {
      for (const [tool, args] of [
        ...CALLS,
        ["explain_query", { query: "SELECT 1" }],
        ["create_table", { query: "CREATE TABLE x (a)" }],
        ["run_transaction", { statements: [{ query: "DELETE FROM t" }] }],
      ] as const)
        expect((await stress.reply(tool, { ...args, database })).failed, `${tool} ${database}`).toBe(true);
    }
    await stress.checkRules();
  });

  test("SQL-28 are not followed when a link replaces the file", async () => {
    await using stress = await startStress();
    await stress.checkHealth();
    rmSync(stress.file);
    symlinkSync(`${stress.out}/outside.db`, stress.file);
    // Processes that have the old file open may read from it; a new process must not follow the link.
    const bomb = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT count(*) FROM c";
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => stress.read(bomb, { timeout_ms: 400 })));
    for (const _ of [1, 2, 3]) expect((await stress.read("SELECT secret FROM users")).failed).toBe(true);
    expect((await stress.write("DELETE FROM users")).failed).toBe(true);
    await stress.checkRules({ plain: false });
  });
});

describe("SQL-28 replaced files", needs("special files"), () => {
  /** A database for each test. */
  const DATABASES = ["list_tables", "describe_table", "read_query", "log", "reader", "delete", "wal"] as const;
  let stress: StressRun;
  const fileOf = (database: string): string => stress.at(`${database}.db`);
  const write = (database: string, query: string): Promise<ToolReply> => stress.write(query, { database });
  const words = async (database: string): Promise<string> => (await stress.read("SELECT word FROM plain", { database })).text;

  beforeAll(async () => {
    stress = await startStress({
      args: (base) => ["--read-write", `${base}/ROOT/main.db`, ...DATABASES.map((name) => `${base}/ROOT/${name}.db`)],
      prepare: (run) => DATABASES.forEach((name) => makeDatabase(run.at(`${name}.db`), PLAIN)),
    });
  });

  afterEach(() => stress.checkRules({ plain: false }));
  afterAll(() => stress[Symbol.asyncDispose]());

  test.each([
    ["list_tables", {}],
    ["describe_table", { table_name: "plain" }],
    ["read_query", { query: "SELECT * FROM plain" }],
  ])("%s notices a link in place of the file, and the restored file", async (tool, args) => {
    const file = fileOf(tool);
    const callTool = () => stress.reply(tool, { database: tool, ...args });
    expect(JSON.stringify((await callTool()).structured)).toContain("plain");
    renameSync(file, stress.at("kept.db"));
    symlinkSync(`${stress.out}/outside.db`, file);
    await expect.poll(async () => (await callTool()).text, NOTICED).toContain("symbolic link");
    for (const _ of [1, 2, 3]) expect((await callTool()).text).toContain("symbolic link");
    // The same file again, which the process had open.
    rmSync(file);
    renameSync(stress.at("kept.db"), file);
    await expect.poll(async () => (await callTool()).failed, NOTICED).toBe(false);
    // Another file in its place, such as a restored copy.
    makeDatabase(stress.at("other.db"), "CREATE TABLE plain (word TEXT, restored TEXT)");
    renameSync(stress.at("other.db"), file);
    await expect.poll(async () => JSON.stringify((await callTool()).structured), NOTICED).toContain("restored");
  });

  test("keep their WAL from the new one", async () => {
    const file = fileOf("log");
    const wal = (path: string, sql: string): void => {
      using db = openDatabase(path);
      db.pragma("journal_mode = WAL");
      db.exec(sql);
    };
    wal(file, "SELECT 1");
    for (let at = 0; at < 30; at++) await write("log", `INSERT INTO plain VALUES ('old ${at}')`);
    expect(await words("log")).toContain("old 29");
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    wal(stress.at("other.db"), "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('new')");
    renameSync(stress.at("other.db"), file);
    await expect.poll(() => words("log"), NOTICED).toContain("new");
    expect(await words("log")).not.toContain("old");
    expect((await write("log", "INSERT INTO plain VALUES ('newer')")).failed).toBe(false);
    expect(rowsOf(file, "SELECT word FROM plain")).toEqual([["new"], ["newer"]]);
    expect(rowsOf(file, "PRAGMA integrity_check")).toEqual([["ok"]]);
  });

  test("write_query waits while another program reads the WAL of the old one", async () => {
    const file = fileOf("reader");
    using other = openDatabase(file);
    other.pragma("journal_mode = WAL");
    for (let at = 0; at < 5; at++) await write("reader", `INSERT INTO plain VALUES ('old ${at}')`);
    other.exec("BEGIN");
    other.prepare("SELECT count(*) FROM plain").get();
    await write("reader", "INSERT INTO plain VALUES ('old 5')");
    makeDatabase(stress.at("new.db"), "CREATE TABLE plain (word TEXT)");
    renameSync(stress.at("new.db"), file);
    const busy = { failed: true, text: expect.stringContaining("busy") };
    expect(await write("reader", "INSERT INTO plain VALUES ('new')")).toMatchObject(busy);
    other.exec("COMMIT");
    expect((await write("reader", "INSERT INTO plain VALUES ('new')")).failed).toBe(false);
    expect(rowsOf(file, "SELECT word FROM plain")).toEqual([["new"]]);
  });

  test.each(["delete", "wal"])("write_query writes to the new one in journal mode %s", async (mode) => {
    const file = fileOf(mode);
    const change = (path: string, sql: string): void => {
      using db = openDatabase(path);
      db.pragma(`journal_mode = ${mode}`);
      db.exec(sql);
    };
    change(file, "SELECT 1");
    for (let round = 0; round < 5; round++) {
      // The writer process has the file open, and has just checked its identity.
      expect((await write(mode, `INSERT INTO plain VALUES ('before ${round}')`)).failed).toBe(false);
      change(stress.at("other.db"), "CREATE TABLE plain (word TEXT)");
      for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
      renameSync(stress.at("other.db"), file);
      expect((await write(mode, `INSERT INTO plain VALUES ('after ${round}')`)).failed).toBe(false);
      expect(rowsOf(file, "SELECT word FROM plain")).toEqual([[`after ${round}`]]);
    }
  });
});

test("SQL-28 name the leftover WAL of a replaced file on a read-only server", async () => {
  await using stress = await startStress({ args: (base) => [`${base}/ROOT/main.db`] });
  const words = async () => (await stress.reply("read_query", { query: "SELECT word FROM plain" })).text;
  using other = openDatabase(stress.file);
  other.pragma("journal_mode = WAL");
  for (let at = 0; at < 30; at++) other.exec(`INSERT INTO plain VALUES ('old ${at}')`);
  // Looked at while the log lies there: a place is looked at each 0.2 seconds at most.
  const since = Date.now();
  await expect.poll(async () => (await words()).includes("old 29") && Date.now() - since > 500, NOTICED).toBe(true);
  makeDatabase(stress.at("other.db"), "CREATE TABLE plain (word TEXT); INSERT INTO plain VALUES ('new')");
  renameSync(stress.at("other.db"), stress.file);
  await expect.poll(words, NOTICED).toContain("-wal");
  expect(await words()).toContain("-wal");
  for (const end of ["-wal", "-shm"]) rmSync(stress.file + end, { force: true });
  await expect.poll(words, NOTICED).toContain("new");
});

describe.runIf(posix && process.getuid?.() === 0)("SQL-29 a WAL in a read-only folder", () => {
  test("SQL-29 gives its data or an error that explains it", async () => {
    await using folder = tempFolder({ ROOT: {} });
    const file = folder.at("ROOT", "w.db");
    using db = openDatabase(file);
    db.pragma("journal_mode = WAL");
    db.exec("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('in the WAL')");
    // The files that a killed program leaves.
    const left = folder.at("left");
    mkdirSync(left);
    for (const name of readdirSync(folder.at("ROOT"))) copyFileSync(folder.at("ROOT", name), `${left}/${name}`);
    chmodSync(left, 0o777);
    rmSync(`${left}/w.db-shm`, { force: true });
    for (const name of readdirSync(left)) chmodSync(`${left}/${name}`, 0o444);
    chmodSync(left, 0o555);
    chmodSync(folder.path, 0o755);
    const before = readdirSync(left);
    const { started, output } = await served(folder, `${left}/w.db`);
    if (started) expect(output).toContain("in the WAL");
    else expect(output).toMatch(/read|write|WAL|folder|open/i);
    expect(output).not.toContain("Internal error");
    // Root may write anywhere, and creates the shared-memory file.
    expect(readdirSync(left).filter((name) => !name.endsWith("-shm"))).toEqual(before.filter((name) => !name.endsWith("-shm")));
    chmodSync(left, 0o777);
  });
});

test("SQL-29 read_query sees rows that are only in the WAL of another program", async () => {
  await using folder = tempFolder();
  const file = folder.at("w.db");
  using db = openDatabase(file);
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('in the WAL')");
  const { started, output } = await served(folder, file);
  expect(started, output).toBe(true);
  expect(output).toContain("in the WAL");
  expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
});
