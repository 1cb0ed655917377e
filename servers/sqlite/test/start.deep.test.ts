// The process: switches, offered tools, exit codes, and that the start has no side effects. start.test.ts has what the start refuses.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { childProcesses, connectTo, needs, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase, rowsOf, SHOP } from "./support/databases.ts";
import { isRunning, processCpuMs } from "./support/processes.ts";
import { runToExit } from "./support/run-to-exit.ts";
import { startServer } from "./support/server-process.ts";
import { text } from "./support/shop.ts";
import { bin } from "./support/target.ts";

describe.concurrent("the start", () => {
  test.each<[string, string[], number, RegExp]>([
    ["a missing file", ["none.db"], 3, /none\.db does not exist\. Use --db-path FILE to create a database/],
    ["memory", [":memory:"], 2, /expected the path of a file/],
    ["an unknown switch", ["--nope", "shop.db"], 2, /--nope/],
    ["a limit of zero", ["--confirm-above=0", "shop.db"], 2, /confirm-above/],
  ])("fails with an error for %s", async (_what, args, code, sentence) => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    const result = await runToExit(args, folder.path);
    expect(result.stderr.split("\n")[0]).toMatch(sentence);
    expect(result.code).toBe(code);
    expect(existsSync(folder.at("none.db"))).toBe(false);
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

test("servers#1945 deviation 'read-only': opens files read-only without --read-write, and always with --read-only", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  expect(await tools([file])).toEqual(READING);
  expect(await tools([file, "--read-write"])).toEqual(ALL);
  expect(await tools([file, "--read-write", "--read-only"])).toEqual(READING.slice(0, -1));
  expect(await tools([`--db-path=${file}`, "--toolsets=default,files"])).toEqual([...ALL, "import_csv", "export_query", "backup_database"]);
  expect(await tools([`a=${file}`, "--tools=read_query,list_databases", `b=${file}`])).toEqual(["read_query", "list_databases"]);
});

test("names in read-only mode the switch that allows changes, and no missing tool", async () => {
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

test("deviation 'first-write': --db-path creates folder and database with the first call, and reports it", async () => {
  await using folder = tempFolder();
  const file = folder.at("new/folder/data.db");
  const notes = folder.at("notes.jsonl");
  writeFileSync(notes, "");
  // The operator's own link.
  symlinkSync("notes.jsonl", folder.at("link.jsonl"));
  let stderr = "";
  await using wired = await connectTo(bin([`--db-path=${file}`, `--insights=${folder.at("link.jsonl")}`]), {
    onStderr: (chunk) => (stderr += chunk),
  });
  await Array.fromAsync(wired.client.tools());
  expect(existsSync(file)).toBe(false);
  await expect.poll(() => stderr).toContain(`${file} does not exist yet, and the first call creates it`);
  expect((await wired.client.call("list_tables")).structuredContent).toEqual({ tables: [], truncated: false });
  expect(text(await wired.client.call("create_table", { query: "CREATE TABLE t (a)" }))).toBe("Table created successfully");
  expect(rowsOf(file, "SELECT name FROM sqlite_schema")).toEqual([["t"]]);
  await wired.client.call("append_insight", { insight: "kept" });
  expect(readFileSync(notes, "utf8")).toBe('"kept"\n');
});

test("ends database processes after the server was killed", needs("/proc"), async () => {
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
