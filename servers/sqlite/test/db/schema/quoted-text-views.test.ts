// Databases of programs that write texts in double quotes: their views can be read, and what cannot run is named.
import { DatabaseSync } from "node:sqlite";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTo, type TestConnection } from "@oarlock/testing";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { text } from "../../support/shop.ts";
import { targetOf } from "../../support/target.ts";

const SCHEMA = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT CHECK (name <> "nobody"), continent TEXT DEFAULT "Asia", label TEXT AS (name || " of " || continent));
  CREATE INDEX by_name ON city (name) WHERE continent <> "none";
  CREATE TABLE log (entry TEXT);
  CREATE VIEW asian AS SELECT id, name, "in Asia" AS place FROM city WHERE continent = "Asia";
  CREATE VIEW renamed (number, called) AS SELECT id, "name" FROM city WHERE name IN ("Oslo", "Kyoto");
  CREATE VIEW upon AS SELECT name, place FROM asian WHERE name <> "it's" ORDER BY "name";
  CREATE VIEW scoped AS SELECT (SELECT "name" FROM city WHERE id = 1) AS one, (SELECT "name" FROM log LIMIT 1) AS other;
  CREATE VIEW plain AS SELECT * FROM upon;
  CREATE VIEW broken AS SELECT "name" FROM missing;
  CREATE TRIGGER noted AFTER INSERT ON city BEGIN INSERT INTO log VALUES ("new " || NEW.name); END;
  INSERT INTO city (name, continent) VALUES ('Oslo', 'Europe'), ('Kyoto', 'Asia'), ('it''s', 'Asia');
`;
const VIEWS = ["asian", "renamed", "upon", "scoped", "plain"];

let folder: TempFolder;
let wired: TestConnection;
let peer: DatabaseSync;
beforeAll(async () => {
  folder = tempFolder();
  const file = folder.at("city.db");
  peer = new DatabaseSync(file, { enableDoubleQuotedStringLiterals: true });
  peer.exec(SCHEMA);
  wired = await connectTo(targetOf({ files: [file] }));
});
afterAll(async () => {
  peer.close();
  await wired[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const call = (name: string, args: Json): Promise<CallToolResult> => wired.client.call(name, args);
const rowsOf = async (query: string): Promise<unknown> => {
  const reply = await call("read_query", { query });
  expect(reply.isError, text(reply)).toBeUndefined();
  return (reply.structuredContent as Json)["rows"];
};

test.each([
  ...VIEWS.map((view) => `SELECT * FROM ${view}`),
  "SELECT count(*) FROM upon JOIN renamed ON called = name",
  'SELECT name FROM asian WHERE name = "Kyoto" AND place = "in Asia"',
  "WITH a AS (SELECT * FROM plain) SELECT * FROM a ORDER BY name DESC",
  "SELECT * FROM city",
])("reads %s as the program that wrote the view", async (query) => {
  const rows = peer
    .prepare(query)
    .all()
    .map((row) => Object.values(row));
  expect(rows.length).toBeGreaterThan(0);
  expect(await rowsOf(query)).toEqual(rows);
});

test.each(VIEWS)("describes the view %s with columns and rows", async (view) => {
  const { structuredContent } = await call("describe_table", { table_name: view, sample_rows: 2 });
  const description = structuredContent as Json & { columns: Json[] };
  expect(description.columns.map(({ name }) => name)).toEqual(Object.keys(peer.prepare(`SELECT * FROM ${view}`).get() ?? {}));
  expect(description["error"]).toBeUndefined();
  expect(description["sample"]).toMatchObject({ rowCount: expect.any(Number) });
});

test("lists the columns of each view", async () => {
  const { structuredContent } = await call("list_tables", { pattern: "*" });
  const tables = (structuredContent as Json)["tables"] as Json[];
  expect(tables.filter(({ error }) => error !== undefined).map(({ name }) => name)).toEqual(["broken"]);
});

test("runs a change with a trigger that holds a text, and leaves the schema as it was", async () => {
  const schemaOf = (): unknown => [peer.prepare("PRAGMA schema_version").get(), peer.prepare("SELECT * FROM sqlite_schema").all()];
  const before = schemaOf();
  peer.exec("DELETE FROM log");
  const [run, plain] = [{ query: "INSERT INTO city (name) VALUES ('Lima')" }, { query: "SELECT entry FROM log" }];
  const dry = await call("run_transaction", { statements: [run, plain, run, plain], dry_run: true });
  expect((dry.structuredContent as Json)["results"], text(dry)).toMatchObject([
    { changes: 1 },
    { rows: [["new Lima"]] },
    { changes: 1 },
    { rows: [["new Lima"], ["new Lima"]] },
  ]);
  const reply = await call("write_query", run);
  expect(reply.isError, text(reply)).toBeUndefined();
  await call("write_query", { query: "CREATE TABLE later (x)", dry_run: true });
  expect((await call("write_query", run)).isError).toBeUndefined();
  expect(peer.prepare("SELECT entry FROM log").all()).toEqual([{ entry: "new Lima" }, { entry: "new Lima" }]);
  expect(schemaOf()).toEqual(before);
  peer.exec("DELETE FROM city WHERE name = 'Lima'; DELETE FROM log");
});

test("runs a change after another program has changed the schema", async () => {
  const insert = { query: "INSERT INTO city (name) VALUES ('Lima')" };
  await call("write_query", insert);
  peer.exec('DROP TRIGGER noted; CREATE TRIGGER noted AFTER INSERT ON city BEGIN INSERT INTO log VALUES ("new " || NEW.name); END');
  const reply = await call("write_query", insert);
  expect(reply.isError, text(reply)).toBeUndefined();
  peer.exec("DELETE FROM city WHERE name = 'Lima'; DELETE FROM log");
});

test("waits for the lock of another program", async () => {
  peer.exec("BEGIN IMMEDIATE");
  const waiting = call("write_query", { query: "INSERT INTO city (name) VALUES ('Lima')" });
  peer.exec("DROP VIEW plain; CREATE VIEW plain AS SELECT * FROM upon; COMMIT");
  expect((await waiting).isError).toBeUndefined();
  peer.exec("DELETE FROM city WHERE name = 'Lima'; DELETE FROM log");
});

test.each([
  ["INSERT INTO log SELECT name FROM upon", 1],
  ["UPDATE log SET entry = (SELECT place FROM upon) WHERE entry = 'old'", 1],
  ["DELETE FROM log WHERE 'Kyoto' IN (SELECT name FROM plain)", 2],
  ["REPLACE INTO log SELECT called FROM renamed", 2],
])("runs %s with the view that it reads", async (query, changes) => {
  peer.exec("DELETE FROM log; INSERT INTO log VALUES ('old'), ('older')");
  const dry = await call("write_query", { query, dry_run: true });
  expect(dry.structuredContent, text(dry)).toMatchObject({ changes });
  const steps = [{ query: "SELECT name FROM upon" }, { query }, { query: "SELECT count(*) FROM plain" }];
  const together = await call("run_transaction", { statements: steps, dry_run: true });
  expect((together.structuredContent as Json)["results"], text(together)).toMatchObject([{ rows: [["Kyoto"]] }, { changes }, {}]);
  peer.exec("BEGIN");
  const asPeer = peer.prepare(query).run().changes;
  peer.exec("ROLLBACK");
  expect(asPeer).toBe(changes);
});

test("stores the rows of a view in a table", async () => {
  const reply = await call("write_query", { query: "CREATE TABLE copied AS SELECT name, place FROM asian" });
  expect(reply.isError, text(reply)).toBeUndefined();
  expect(await rowsOf("SELECT * FROM copied")).toEqual(
    peer
      .prepare("SELECT name, place FROM asian")
      .all()
      .map((row) => Object.values(row)),
  );
  peer.exec("DROP TABLE copied");
});

test("changes a view with a text by its trigger", async () => {
  peer.exec("CREATE TRIGGER instead INSTEAD OF DELETE ON asian BEGIN DELETE FROM city WHERE id = OLD.id; END");
  const reply = await call("write_query", { query: "DELETE FROM asian WHERE name = 'Kyoto'", dry_run: true });
  peer.exec("DROP TRIGGER instead");
  expect(reply.structuredContent, text(reply)).toMatchObject({ changes: 1 });
});

test("reads a view inside a transaction that changes data, and changes the view itself", async () => {
  const statements = [
    { query: "SELECT count(*) FROM upon" },
    { query: "UPDATE city SET name = name || '!' WHERE id = 2" },
    { query: "SELECT name FROM upon" },
    { query: "DROP VIEW asian" },
  ];
  const reply = await call("run_transaction", { statements, dry_run: true });
  expect(reply.isError, text(reply)).toBeUndefined();
  expect(await rowsOf("SELECT name FROM upon")).toEqual([["Kyoto"]]);
});

test("reads the same view again after a change in one transaction", async () => {
  const statements = [
    { query: "SELECT name FROM upon" },
    { query: "UPDATE city SET name = 'Nara' WHERE id = 2" },
    { query: "SELECT name FROM upon" },
  ];
  const reply = await call("run_transaction", { statements, dry_run: true });
  expect(reply.isError, text(reply)).toBeUndefined();
  expect((reply.structuredContent as Json)["results"]).toMatchObject([{ rows: [["Kyoto"]] }, { changes: 1 }, { rows: [["Nara"]] }]);
});

test("changes the file's own view after a dry run", async () => {
  const run = async (queries: readonly string[], more: Json = {}): Promise<unknown> => {
    const reply = await call("run_transaction", { statements: queries.map((query) => ({ query })), ...more });
    expect(reply.isError, text(reply)).toBeUndefined();
    return (reply.structuredContent as Json)["results"];
  };
  await run(["SELECT name FROM upon"]);
  await run(["UPDATE city SET name = 'Nara' WHERE id = 2"], { dry_run: true });
  await run(["CREATE VIEW later AS SELECT name FROM city", "DROP VIEW later"], { dry_run: true });
  await run(["DROP VIEW plain"], { dry_run: true });
  expect(await run(["SELECT name FROM upon"])).toMatchObject([{ rows: [["Kyoto"]] }]);
});

test("reads a view with a text of the statement in double quotes in a transaction", async () => {
  const reply = await call("run_transaction", { statements: [{ query: 'SELECT name FROM asian WHERE name = "Kyoto"' }] });
  expect(reply.isError, text(reply)).toBeUndefined();
  expect(text(reply)).toContain("[Not names here, so read as texts: 'Kyoto']");
});

test("searches a view", async () => {
  const { structuredContent } = await call("search_text", { query: "in Asia", tables: ["asian"] });
  expect(structuredContent).toMatchObject({ matches: [{ table: "asian", column: "place" }, { table: "asian" }] });
});

test("lists views and triggers in check_database", async () => {
  const reply = await call("check_database", { checks: ["schema"] });
  const { ok, schema } = reply.structuredContent as Json & { schema: Json };
  expect(ok).toBe(false);
  expect(schema["quotedTexts"]).toEqual([
    { view: "asian", texts: ["in Asia", "Asia"] },
    { view: "renamed", texts: ["Oslo", "Kyoto"] },
    { view: "upon", texts: ["it's"] },
    { view: "scoped", texts: ["name"] },
    { trigger: "noted", texts: ["new "] },
  ]);
  expect(schema["broken"]).toMatchObject([{ view: "broken" }]);
});

test("follows a view that another program changes", async () => {
  await rowsOf("SELECT * FROM upon");
  peer.exec('DROP VIEW asian; CREATE VIEW asian AS SELECT id, name, "elsewhere" AS place FROM city WHERE continent = "Europe"');
  expect(await rowsOf("SELECT name, place FROM upon")).toEqual([["Oslo", "elsewhere"]]);
});

test("describes a view as another program has changed it", async () => {
  await call("describe_table", { table_name: "asian" });
  peer.exec('DROP VIEW asian; CREATE VIEW asian AS SELECT id AS number, "somewhere" AS place FROM city WHERE continent = "Asia"');
  const { structuredContent } = await call("describe_table", { table_name: "asian" });
  expect(((structuredContent as Json)["columns"] as Json[]).map(({ name }) => name)).toEqual(["number", "place"]);
});

test("tells why a view that cannot be read has no columns", async () => {
  peer.exec("CREATE VIEW bare AS SELECT name FROM main.upon");
  const { structuredContent } = await call("describe_table", { table_name: "bare" });
  expect(structuredContent).toMatchObject({ columns: [], error: expect.stringContaining("no such column") });
});

test("trusts a view of the file no more than SQLite does", async () => {
  peer.exec('CREATE VIEW spy AS SELECT "x" AS x, name FROM pragma_table_list');
  await rowsOf("SELECT * FROM renamed");
  expect(text(await call("read_query", { query: "SELECT * FROM spy" }))).toContain("unsafe use");
});
