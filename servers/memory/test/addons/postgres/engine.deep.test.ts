// Postgres itself: writers that are killed, an engine that is away, cancellation, limits of Postgres, and commands.
import { execFile } from "node:child_process";
import { startPostgres, type Engine } from "@oarlock-tooling/engines";
import { describePostgres } from "@oarlock-tooling/engines/describe";
import { tempFolder, waitUntil } from "@oarlock/testing";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresLocationOf } from "../../../src/postgres-location.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { PostgresGraph } from "../../../src/addons/postgres/postgres-graph.ts";
import { PostgresEngine } from "../../../src/addons/postgres/engine/engine.ts";
import { entity, jsonl, relation } from "../../support/graphs.ts";
import { runCommand } from "../../support/run-command.ts";
import { startServer, type ServerProcess } from "../../support/server-process.ts";
import { serveMemory } from "../../support/memory-fixture.ts";
import { dbOf, usePostgres } from "../../support/store-under-test.ts";
import { bin } from "../../support/targets.ts";

const isLong = process.env["OARLOCK_LONG"] === "1";
const WRITERS = isLong ? 8 : 4;
const WRITES = isLong ? 200 : 25;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const { command, args: all = [], env: own } = bin(args, env);
  return new Promise((resolve) => {
    const child = execFile(command, all, { env: { ...process.env, ...own } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

(await describePostgres({ own: true }))("on Postgres", () => {
  let engine: Engine;
  let schemas = 0;
  const newAddress = (): string => `${engine.url}?schema=s${++schemas}`;

  const query = async <Row>(address: string, sql: string): Promise<Row[]> => {
    const { schema } = postgresLocationOf(address);
    await using _ = { [Symbol.asyncDispose]: () => client.end() };
    const client = new Client({ connectionString: engine.url, options: `-c search_path=${schema}` });
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  };

  beforeAll(async () => {
    engine = await startPostgres({ own: true });
    usePostgres(engine.url);
  });

  afterAll(async () => {
    await engine.stop();
  });

  test(`keeps all acknowledged changes of ${WRITERS} processes that write ${WRITES} times each while some are killed`, async () => {
    const address = newAddress();
    const acknowledged = new Set<string>();
    const half = Promise.withResolvers<void>();
    const write = async (server: ServerProcess, who: number): Promise<void> => {
      for (let at = 0; at < WRITES; at++) {
        const name = `writer ${who} number ${at}`;
        const answer = await server.attempt("create_entities", { entities: [entity(name, "t", `by ${who}`)] });
        if (answer === undefined) return;
        expect(answer.isError, answer.text).toBe(false);
        acknowledged.add(name);
        if (acknowledged.size === (WRITERS * WRITES) / 2) half.resolve();
      }
    };
    const servers = await Promise.all(Array.from({ length: WRITERS }, () => startServer(address)));
    try {
      const killing = half.promise.then(() => Promise.all([servers[0]!.kill(), servers[1]!.kill()]));
      await Promise.all([...servers.map((server, who) => write(server, who)), killing]);
      const names = new Set(await servers.at(-1)!.names());
      expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
      const [calls] = await query<{ count: string; last: string; late: string }>(
        address,
        "select count(*), max(seq) as last, (select seq from graph) - max(seq) as late from call",
      );
      expect(calls).toEqual({ count: String(names.size), last: String(names.size), late: "0" });
      // Newer calls have newer entities: the order of the numbers is that of the commits.
      const disorder = await query(address, "select 1 from entity a join entity b on a.id < b.id and a.created > b.created limit 1");
      expect(disorder).toEqual([]);
      expect(await run(["verify", `--db=${address}`])).toMatchObject({ code: 0 });
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    }
  });

  test("upgrades tables of the first format, and confirms an observation once a day", async () => {
    await using before = await serveMemory({ entities: [entity("a", "t", "fact 1", "fact 2"), entity("Straße", "Café")] });
    const file = before.folder.at("m.db");
    const address = dbOf(file);
    await before.wired[Symbol.asyncDispose]();
    await query(
      address,
      "alter table observation drop column confirmed; alter table observation drop column times; alter table graph drop column history_start",
    );
    await query(address, "update entity set folded = lower(name), key = lower(name); update type set folded = lower(name)");
    await query(address, "update graph set format = 1");
    await query(address, "update call set at = 1767571200000"); // 2026-01-05
    await using memory = await serveMemory({ file });
    expect([await memory.search("strasse"), await memory.search("CAFE")]).toEqual([["Straße"], ["Straße"]]);
    const again = { observations: [{ entityName: "a", contents: ["fact 1"] }] };
    await memory.call("add_observations", again);
    await memory.call("add_observations", again);
    expect(await query(address, "select text, created, confirmed from observation order by id")).toEqual([
      { text: "fact 1", created: "1", confirmed: "2" },
      { text: "fact 2", created: "1", confirmed: null },
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const recorded = [
      { date: "2026-01-05", confirmed: today, count: 1 },
      { date: "2026-01-05", count: 1 },
    ];
    expect(await memory.call("open_nodes", { names: ["a"] })).toMatchObject({ recorded: [{ name: "a", recorded }] });
  });

  test("removes old history with compact --keep-history, and refuses questions about it", async () => {
    await using memory = await serveMemory({
      entities: [entity("a", "t", "old"), entity("b", "t", "x")],
      relations: [relation("a", "r", "b")],
    });
    const address = dbOf(memory.folder.at("m.db"));
    await memory.call("delete_entities", { entityNames: ["b"] });
    await query(address, "update call set at = 1767571200000"); // 2026-01-05
    await memory.call("add_observations", { observations: [{ entityName: "a", contents: ["new"], supersedes: ["old"] }] });
    const ended = await run(["compact", `--db=${address}`, "--keep-history", "30d"]);
    expect(ended).toMatchObject({ code: 0, stderr: "Old history removed: 1 deleted entity, 1 past observation, 1 past relation.\n" });
    expect(await query(address, "select text from observation order by id")).toEqual([{ text: "old" }, { text: "new" }]);
    expect(await memory.failure("open_nodes", { names: ["a"], asOf: "2026-01-04" })).toContain("was removed (--keep-history)");
    expect(await memory.call("open_nodes", { names: ["a"], asOf: "2026-01-06" })).toMatchObject({ entities: [{ observations: ["old"] }] });
  });

  test("notifies subscribers of another process, also after a restart of the engine", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")] });
    let count = 0;
    await memory.client.subscribe("memory://entity/a", () => void count++);
    await using other = await startServer(memory.folder.at("m.db"));
    const add = (text: string) => other.attempt("add_observations", { observations: [{ entityName: "a", contents: [text] }] });
    await add("before");
    await waitUntil(
      () => count,
      (seen) => seen > 0,
    );
    await engine.kill();
    await engine.restart();
    const before = count;
    // The first call may meet a connection that the engine has ended.
    await waitUntil(
      () => add("after"),
      (answer) => answer?.isError === false,
    );
    await waitUntil(
      () => count,
      (seen) => seen > before,
    );
  });

  test("refuses calls while the engine is paused or killed, and works again afterwards", async () => {
    await using memory = await serveMemory({ entities: [entity("a", "t")] });
    const add = { observations: [{ entityName: "a", contents: ["x"] }] };
    await engine.pause();
    try {
      expect(await memory.failure("open_nodes", { names: ["a"] })).toMatch(/^Postgres at 127\.0\.0\.1:\d+\/postgres does not answer/);
      expect(await memory.failure("add_observations", add)).toMatch(/does not answer|it is not known whether it was made/);
    } finally {
      await engine.resume();
    }
    await waitUntil(
      () => memory.client.call("add_observations", add),
      ({ isError }) => isError !== true,
    );
    await engine.kill();
    expect(await memory.failure("open_nodes", { names: ["a"] })).toMatch(/does not answer/);
    await engine.restart();
    await waitUntil(
      () => memory.client.call("open_nodes", { names: ["a"] }),
      ({ isError }) => isError !== true,
    );
    expect(await memory.call("open_nodes", { names: ["a"] })).toMatchObject({ entities: [entity("a", "t", "x")] });
  });

  test("serves forty memories over the connections of one, and tells each of its own changes", async () => {
    const graphs = Array.from({ length: 40 }, () => new PostgresGraph({ location: postgresLocationOf(newAddress()) }));
    const heard: number[] = [];
    try {
      await Promise.all(graphs.map(async (graph, index) => await graph.watch({ kind: "any" }, () => void heard.push(index))));
      const counted = "select count(*)::int as count from pg_stat_activity where application_name = 'oarlock-memory'";
      const [open] = await query<{ count: number }>(engine.url, counted);
      // As docs/memory.md says: at most 18 for calls, and one for news.
      expect(open?.count).toBeLessThanOrEqual(19);
      await graphs[7]!.writeInSlices(undefined, (rows, call) => createEntities(rows, call, [entity("a", "t")]));
      await waitUntil(
        () => heard.length,
        (count) => count > 0,
      );
      expect(new Set(heard)).toEqual(new Set([7]));
      const totals = await Promise.all(graphs.map(async (graph) => await graph.read((rows) => rows.totals().entities)));
      expect(totals.indexOf(1)).toBe(7);
      expect(totals.reduce((sum, count) => sum + count)).toBe(1);
    } finally {
      await Promise.all(graphs.map(async (graph) => await graph.close()));
    }
  });

  test("ends the query of a cancelled call in Postgres", async () => {
    const postgres = new PostgresEngine(postgresLocationOf(engine.url));
    const abort = new AbortController();
    const sleeping = postgres.transaction({ signal: abort.signal }, (sql) => sql.run("select pg_sleep(600)"));
    const find = () => query(engine.url, "select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'");
    await waitUntil(find, (rows) => rows.length === 1);
    abort.abort(new Error("no longer wanted"));
    await expect(sleeping).rejects.toThrow("no longer wanted");
    await waitUntil(find, (rows) => rows.length === 0);
    await postgres.close();
  });

  test("stores NUL, names of 4,000 characters beyond ASCII, and texts that look escaped", async () => {
    const long = "\u{1f98a}\u6f22".repeat(1333);
    const odd = ["nul \u0000 inside", "\ufdd0", "\ufdd0\ufdd1", "100%_\\", "{a,b}"];
    const entities = [entity(long, "t\u0000", ...odd), entity("a\u0000b", "t")];
    await using memory = await serveMemory({ entities, relations: [relation(long, "r\u0000", "a\u0000b")] });
    expect(await memory.call("open_nodes", { names: [long, "a\u0000b"] })).toMatchObject({
      entities,
      relations: [relation(long, "r\u0000", "a\u0000b")],
    });
    for (const text of ["l \u0000 i", "%_\\", "{a,b}"]) expect((await memory.search(text))[0], text).toBe(long);
  });

  test("refuses to start where Postgres cannot be used, without showing the password", async () => {
    await query(engine.url, "create role poor login");
    await query(engine.url, "create database plain");
    const at = engine.url.replace("oarlock@", "oarlock:hidden@");
    const cases: [address: string, message: string][] = [
      [at.replace(/:\d+\//, ":1/"), "Error: Cannot reach Postgres at 127.0.0.1:1/postgres (ECONNREFUSED)."],
      [at.replace(/postgres$/, "absent"), "/absent has no such database (3D000)."],
      [at.replace("oarlock:", "absent:"), "refused the user or password (28000)."],
      [
        at.replace("oarlock:", "poor:").replace(/postgres$/, "plain"),
        "As an administrator of the database, run: CREATE EXTENSION pg_trgm WITH SCHEMA public;",
      ],
    ];
    for (const [address, message] of cases) {
      const { code, stderr } = await run([`--db=${address}`]);
      expect(stderr).toContain(message);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toContain("hidden");
      expect(code).toBe(3);
    }
    const { code, stderr } = await run([`--db=${at}`], { MEMORY_FILE_PATH: "/tmp/m.jsonl" });
    expect(stderr).toContain("MEMORY_FILE_PATH names a file");
    expect(code).toBe(2);
  });

  test("imports, exports and verifies, and refuses to compact", async () => {
    await using folder = tempFolder();
    const content = `${jsonl([entity("a", "t", "x"), entity("b", "t")], [relation("a", "r", "b")])}{"type":"note","text":"kept"}\n`;
    folder.write({ "in.jsonl": content });
    const db = `--db=${newAddress()}`;
    expect(await runCommand(["export", db])).toMatchObject({ code: 3, out: "" });
    for (const added of ["2 entities and 1 relation", "0 entities and 0 relations"])
      expect((await runCommand(["import", folder.at("in.jsonl"), db])).stderr).toContainEqual(
        expect.stringContaining(`Imported ${added}.`),
      );
    expect(await run(["export", db])).toMatchObject({ code: 0, stdout: content });
    expect(JSON.parse((await runCommand(["export", "--json", db])).out)).toEqual({
      entities: [entity("a", "t", "x"), entity("b", "t")],
      relations: [relation("a", "r", "b")],
    });
    expect(await runCommand(["verify", db])).toMatchObject({ code: 0 });
    expect(await runCommand(["compact", db])).toMatchObject({ code: 2 });
  });
});
