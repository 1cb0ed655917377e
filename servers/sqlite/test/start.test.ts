// The process: switches, offered tools, exit codes, and that the start has no side effects.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { childProcesses, connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase, rowsOf, SHOP } from "./support/databases.ts";
import { isRunning, processCpuMs } from "./support/processes.ts";
import { runToExit } from "./support/run-to-exit.ts";
import { startServer } from "./support/server-process.ts";
import { text } from "./support/shop.ts";
import { bin } from "./support/target.ts";

describe.concurrent("the start", () => {
  const bad: [string, string[], number, RegExp][] = [
    ["a missing file", ["none.db"], 3, /none\.db does not exist\. Use --db-path FILE to create a database/],
    [
      "a missing folder",
      ["none/deep/x.db"],
      3,
      /x\.db does not exist: the folder \/.*\/none is missing\. Create the folder \/.*\/none, or correct/,
    ],
    [
      "a missing file that may not be created",
      ["--read-only", "--db-path=none.db"],
      3,
      /none\.db does not exist\. Start once without --read-only/,
    ],
    ["a directory", ["folder"], 3, /folder is a directory/],
    ["a link", ["link.db"], 3, /link\.db is a symbolic link/],
    ["memory", [":memory:"], 2, /expected the path of a file/],
    ["an address", ["file:x.db?mode=rwc"], 2, /expected the path of a file/],
    ["an empty name", [""], 2, /./],
    ["an unknown switch", ["--nope", "shop.db"], 2, /--nope/],
    ["a limit of zero", ["--confirm-above=0", "shop.db"], 2, /confirm-above/],
    ["a file in place of the folder", ["--db-path=shop.db/none.db"], 3, /The folder of shop\.db\/none\.db cannot be created \(EEXIST\)/],
    ["a folder below a file", ["--db-path=shop.db/a/none.db"], 3, /The folder of shop\.db\/a\/none\.db cannot be created \(ENOTDIR\)/],
    ["a journal that is a link", ["journal.db"], 3, /journal beside the database is not an ordinary file/],
  ];
  test.each(bad)("fails with an error for %s", async (_what, args, code, sentence) => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    makeDatabase(folder.at("journal.db"), SHOP);
    mkdirSync(folder.at("folder"));
    symlinkSync("shop.db", folder.at("link.db"));
    symlinkSync("shop.db", folder.at("journal.db-journal"));
    const result = await runToExit(args, folder.path);
    expect(result.stderr.split("\n")[0]).toMatch(sentence);
    expect(result.code).toBe(code);
    expect(existsSync(folder.at("none.db"))).toBe(false);
  });

  test.runIf(existsSync("/proc/self"))("fails with an error where no folder can be created", async () => {
    const { code, stderr } = await runToExit(["--db-path=/proc/oarlock/deep/none.db"], "/");
    expect(stderr).toMatch(/The folder of \/proc\/oarlock\/deep\/none\.db cannot be created \(ENOENT\)/);
    expect(code).toBe(3);
  });

  test("skips missing databases with a warning", async () => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    const result = await runToExit(["none.db", "shop.db"], folder.path);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("Skipped: none.db does not exist");
  });
});

const tools = async (args: readonly string[]): Promise<string[]> => {
  await using wired = await connectTo(bin(args));
  return (await Array.fromAsync(wired.client.tools())).map(({ name }) => name);
};

const READING = ["read_query", "list_tables", "describe_table", "explain_query", "search_text", "check_database", "append_insight"];
const ALL = ["read_query", "write_query", "run_transaction", "create_table", ...READING.slice(1)];

test("servers#1945 deviation 'read-only': files are read-only without --read-write, and always with --read-only", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  expect(await tools([file])).toEqual(READING);
  expect(await tools([file, "--read-write"])).toEqual(ALL);
  expect(await tools([file, "--read-write", "--read-only"])).toEqual(READING.slice(0, -1));
  expect(await tools([`--db-path=${file}`, "--toolsets=default,files"])).toEqual([...ALL, "import_csv", "export_query", "backup_database"]);
  expect(await tools([`a=${file}`, "--tools=read_query,list_databases", `b=${file}`])).toEqual(["read_query", "list_databases"]);
});

test("a read-only server names the switch that allows changes, and no tool that it does not offer", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  for (const args of [[file], [file, "--read-only"], [`--db-path=${file}`, "--read-only"]]) {
    await using wired = await connectTo(bin(args));
    const refused = await wired.client.call("read_query", { query: "DELETE FROM orders" });
    expect(text(refused)).toBe(
      "read_query only reads: this is DELETE. The database shop is read-only: changes are not allowed. The operator can start the server with --read-write, and without --read-only.",
    );
    await expect(wired.client.call("write_query", { query: "DELETE FROM orders" })).rejects.toThrow(
      "Unknown tool: write_query. It is switched off: all databases are served read-only. The operator can start the server with --read-write, and without --read-only.",
    );
  }
});

test("deviation 'first-write': --db-path creates folder and database with the first call, and says so", async () => {
  await using folder = tempFolder();
  const file = folder.at("new/folder/data.db");
  const notes = folder.at("notes.jsonl");
  let stderr = "";
  await using wired = await connectTo(bin([`--db-path=${file}`, `--insights=${notes}`]), { onStderr: (chunk) => (stderr += chunk) });
  await Array.fromAsync(wired.client.tools());
  expect(existsSync(file)).toBe(false);
  await expect.poll(() => stderr).toContain(`${file} does not exist yet, and the first call creates it`);
  expect((await wired.client.call("list_tables")).structuredContent).toEqual({ tables: [], truncated: false });
  expect(text(await wired.client.call("create_table", { query: "CREATE TABLE t (a)" }))).toBe("Table created successfully");
  expect(rowsOf(file, "SELECT name FROM sqlite_schema")).toEqual([["t"]]);
  await wired.client.call("append_insight", { insight: "kept" });
  expect(readFileSync(notes, "utf8")).toBe('"kept"\n');
});

test("deviation 'name': serverInfo names oarlock-sqlite", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(bin([makeDatabase(folder.at("shop.db"), SHOP)]));
  expect(wired.client.serverInfo).toMatchObject({ name: "oarlock-sqlite", title: "SQLite" });
});

test("the list of tools reads no database", async () => {
  await using folder = tempFolder();
  writeFileSync(folder.at("broken.db"), "This is not a database, which the first query notices.");
  await using wired = await connectTo(bin([folder.at("broken.db")]));
  await Array.fromAsync(wired.client.tools());
  expect(text(await wired.client.call("read_query", { query: "SELECT 1 FROM sqlite_schema" }))).toBe(
    "The file is not a SQLite database, or it is encrypted. Name another file.",
  );
});

test.runIf(process.platform === "linux")("database processes exit after the server was killed", async () => {
  await using folder = tempFolder();
  await using server = await startServer([makeDatabase(folder.at("shop.db"), SHOP)]);
  expect((await server.call("read_query", { query: "SELECT 42" }))?.text).toContain("42");
  const children = childProcesses(server.process.pid);
  expect(children.length).toBeGreaterThan(0);
  // While it runs a statement, a process notices the exit of its parent only by a signal of the system.
  if (spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status === 0) {
    const before = children.map(processCpuMs);
    const query = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
    void server.call("read_query", { query });
    await expect.poll(() => children.some((pid, index) => processCpuMs(pid) > (before[index] ?? 0) + 200)).toBe(true);
  }
  server.process.kill("SIGKILL");
  await expect.poll(() => children.filter(isRunning)).toEqual([]);
});
