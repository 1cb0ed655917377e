// The process: switches, what is served, exit codes, and what the start does not do.
import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase, rowsOf, SHOP } from "./support/databases.ts";
import { text } from "./support/shop.ts";
import { bin } from "./support/target.ts";

interface Ended {
  code: number;
  stderr: string;
}

/** Runs the server until its end; its input is empty. */
async function ended(args: readonly string[], cwd: string): Promise<Ended> {
  const { command, args: all = [], env } = bin(args);
  const running = promisify(execFile)(command, all, { cwd, env: { ...process.env, ...env } });
  running.child.stdin?.end();
  return await running.then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => ({ code: error.code, stderr: error.stderr }),
  );
}

describe.concurrent("what cannot be served ends the start with a sentence", () => {
  const bad: [string, string[], number, RegExp][] = [
    ["a missing file", ["none.db"], 3, /none\.db does not exist\. Use --db-path FILE to create a database/],
    ["a directory", ["folder"], 3, /folder is a directory/],
    ["a link", ["link.db"], 3, /link\.db is a symbolic link/],
    ["memory", [":memory:"], 2, /expected the path of a file/],
    ["an address", ["file:x.db?mode=rwc"], 2, /expected the path of a file/],
    ["an empty name", [""], 2, /./],
    ["an unknown switch", ["--nope", "shop.db"], 2, /--nope/],
    ["a bound that is none", ["--confirm-above=0", "shop.db"], 2, /confirm-above/],
    ["a folder that is a file", ["--db-path=shop.db/none.db"], 3, /The folder of shop\.db\/none\.db cannot be created \(EEXIST\)/],
    ["a folder below a file", ["--db-path=shop.db/a/none.db"], 3, /The folder of shop\.db\/a\/none\.db cannot be created \(ENOTDIR\)/],
    ["a journal that is a link", ["journal.db"], 3, /journal beside the database is not an ordinary file/],
  ];
  test.each(bad)("%s", async (_what, args, code, sentence) => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    makeDatabase(folder.at("journal.db"), SHOP);
    mkdirSync(folder.at("folder"));
    symlinkSync("shop.db", folder.at("link.db"));
    symlinkSync("shop.db", folder.at("journal.db-journal"));
    const result = await ended(args, folder.path);
    expect(result.stderr.split("\n")[0]).toMatch(sentence);
    expect(result.code).toBe(code);
    expect(existsSync(folder.at("none.db"))).toBe(false);
  });

  // In a process that is ended by force: one that tries forever heeds nothing else.
  test.runIf(existsSync("/proc/self"))("a place that says of every new folder that there is no such thing", () => {
    const { command, args = [], env } = bin(["--db-path=/proc/oarlock/deep/none.db"]);
    const { status, stderr } = spawnSync(command, args, {
      env: { ...process.env, ...env },
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    expect(stderr).toMatch(/The folder of \/proc\/oarlock\/deep\/none\.db cannot be created \(ENOENT\)/);
    expect(status).toBe(3);
  });

  test("where some are missing the others are served, with a warning", async () => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    const result = await ended(["none.db", "shop.db"], folder.path);
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

test("deviation 'read-only', servers#1945: files are read-only unless --read-write says otherwise, and --read-only always wins", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  expect(await tools([file])).toEqual(READING);
  expect(await tools([file, "--read-write"])).toEqual(ALL);
  expect(await tools([file, "--read-write", "--read-only"])).toEqual(READING.slice(0, -1));
  expect(await tools([`--db-path=${file}`, "--toolsets=default,files"])).toEqual([...ALL, "import_csv", "export_query", "backup_database"]);
  expect(await tools([`a=${file}`, "--tools=read_query,list_databases", `b=${file}`])).toEqual(["read_query", "list_databases"]);
});

test("deviation 'first-write': --db-path makes the folder and the database with the first write, and the start touches nothing", async () => {
  await using folder = tempFolder();
  const file = folder.at("new/folder/data.db");
  const notes = folder.at("notes.jsonl");
  await using wired = await connectTo(bin([`--db-path=${file}`, `--insights=${notes}`]));
  await Array.fromAsync(wired.client.tools());
  expect(existsSync(file)).toBe(false);
  expect((await wired.client.call("list_tables")).structuredContent).toEqual({ tables: [], truncated: false });
  expect(text(await wired.client.call("create_table", { query: "CREATE TABLE t (a)" }))).toBe("Table created successfully");
  expect(rowsOf(file, "SELECT name FROM sqlite_schema")).toEqual([["t"]]);
  await wired.client.call("append_insight", { insight: "kept" });
  expect(readFileSync(notes, "utf8")).toBe('"kept"\n');
});

test("deviation 'name': it says who it is", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(bin([makeDatabase(folder.at("shop.db"), SHOP)]));
  expect(wired.client.serverInfo).toMatchObject({ name: "oarlock-sqlite", title: "SQLite" });
});

test("the list of tools needs no database process", async () => {
  await using folder = tempFolder();
  writeFileSync(folder.at("broken.db"), "this is no database, and nobody looks before a query does");
  await using wired = await connectTo(bin([folder.at("broken.db")]));
  await Array.fromAsync(wired.client.tools());
  expect(childrenOf(process.pid).flatMap(childrenOf)).toEqual([]);
  expect(text(await wired.client.call("read_query", { query: "SELECT 1 FROM sqlite_schema" }))).toBe(
    "The file is not a SQLite database, or it is encrypted. Name another file.",
  );
  expect(childrenOf(process.pid).flatMap(childrenOf).length).toBeGreaterThan(0);
});

/** Processes that a process has started, where the system tells. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

test("the database process ends with the server, also when the server is killed", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), SHOP);
  const { command, args = [], env } = bin([file]);
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  const say = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: { name: "read_query", arguments: { query: "SELECT 42" } } });
  let said = "";
  for await (const chunk of server.stdout) {
    said += String(chunk);
    if (said.includes("42")) break;
  }
  // In the middle of work too, where the system can tell a process that its parent is gone.
  const told = spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status === 0;
  const endless = "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  if (told) say({ id: 3, method: "tools/call", params: { name: "read_query", arguments: { query: endless } } });
  const children = childrenOf(server.pid ?? 0);
  const worked = (pid: number): number => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13]);
  const before = children.map(worked);
  if (told) await expect.poll(() => children.some((pid, index) => worked(pid) > (before[index] ?? 0) + 20), { timeout: 10_000 }).toBe(true);
  expect(children.length).toBeGreaterThan(0);
  server.kill("SIGKILL");
  await expect
    .poll(() => children.filter((pid) => existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z")))
    .toEqual([]);
});
