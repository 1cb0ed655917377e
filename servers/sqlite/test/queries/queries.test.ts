// Named queries of a metadata file as tools (toolset queries). queries.deep.test.ts has the command line.
import { writeFileSync } from "node:fs";
import type { Server } from "@oarlock/server-kit";
import type { Json, Tool } from "@oarlock/server-kit/protocol";
import { connectTo, everyRevision, testHostCompatibility, tempFolder, type TestConnection } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadQueries } from "../../src/queries/query-file.ts";
import { createServer } from "../../src/server.ts";
import { makeDatabase, openDatabase, SHOP } from "../support/databases.ts";
import { text } from "../support/shop.ts";
import { expectRowsAndErrors, METADATA } from "./shop-metadata.ts";

const NAMES = ["customer_names", "orders_of", "kinds", "numbers", "endless", "columns_of", "stale"];

const folder = tempFolder();
const file = makeDatabase(folder.at("shop.db"), SHOP);
const metadata = folder.at("metadata.json");
writeFileSync(metadata, JSON.stringify(METADATA));
afterAll(() => folder[Symbol.asyncDispose]());

const databases = [{ name: "shop", file, write: false }];
const load = (path: string, toolsets: readonly string[] = ["queries"], tools: readonly string[] = []) =>
  loadQueries({ file: path, databases, toolsets, tools });
const createShop = (): Server => createServer({ databases, queries: load(metadata).queries }).server;

let wired: TestConnection;
beforeAll(async () => {
  wired = await connectTo(createShop());
});
afterAll(() => wired[Symbol.asyncDispose]());

async function rows(name: string, args: Json = {}): Promise<unknown> {
  const result = await wired.client.call(name, args);
  expect(result.isError, text(result)).toBeUndefined();
  return (result.structuredContent as Json)["rows"];
}

describe("each query is a tool", async () => {
  await using listing = await connectTo(createShop());
  const tools = await Array.fromAsync(listing.client.tools());
  const named = tools.filter(({ name }) => NAMES.includes(name));

  test("after the other tools, in the order of the file", () => {
    expect(tools.map(({ name }) => name).slice(-NAMES.length)).toEqual(NAMES);
    expect(tools[0]?.name).toBe("read_query");
  });

  test("with typed arguments beside those for pages", () => {
    const paging = (tools[0] as Tool).inputSchema["properties"] as Record<string, Json>;
    const { limit: _, ...others } = Object.fromEntries(["limit", "cursor", "timeout_ms", "format"].map((name) => [name, paging[name]]));
    expect(named[1]).toEqual({
      name: "orders_of",
      title: "Orders of a customer",
      description: "The orders of one customer. Reads the database shop.",
      inputSchema: {
        type: "object",
        properties: {
          least: { type: "number", description: "The least total", default: 0 },
          name: { type: "string", description: "Value of :name" },
          limit: { type: "integer", description: "Value of :limit", default: 100 },
          ...others,
        },
        required: ["name"],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(named[0]).toMatchObject({
      title: "Query customer_names",
      description: "Rows of this query of the database shop: SELECT name FROM customers ORDER BY id",
    });
  });

  testHostCompatibility(named);
});

describe("a named query", () => {
  test("binds values by their types", async () => {
    expect(await rows("orders_of", { name: "Ada" })).toEqual([
      [1, 12.5],
      [2, 7.25],
    ]);
    expect(await rows("orders_of", { name: "Ada", least: 10, limit: 1 })).toEqual([[1, 12.5]]);
    expect(await rows("orders_of", { name: "x' OR 1 --" })).toEqual([]);
    expect(await rows("kinds", { text: "12", whole: 3, part: 1.5 })).toEqual([["text", "integer", "real", 1, 1]]);
    expect(await rows("kinds", { text: "", whole: 3, part: 1.5, yes: false, none: 4, other: 1 })).toEqual([
      ["text", "integer", "real", 0, 0],
    ]);
    expect(await rows("columns_of")).toHaveLength(4);
  });

  test.each<[string, Json, string]>([
    ["orders_of", {}, "name"],
    ["orders_of", { name: 1 }, "name"],
    ["kinds", { text: "", whole: 1.5, part: 1 }, "whole"],
    ["kinds", { text: "", whole: 1, part: "1" }, "part"],
    [
      "kinds",
      { text: "", whole: 1, part: 2 ** 53 },
      "part: JSON numbers past 2^53 are rounded: give the parameter the type string, and pass the integer as text",
    ],
    ["kinds", { text: "", whole: 1, part: 1, yes: 1 }, "yes"],
    ["numbers", { above: 0, limit: 0 }, "limit"],
    ["numbers", { above: 0, cursor: "x" }, "Invalid cursor: it does not belong to this call"],
    ["stale", {}, "no such table: custmers; did you mean customers?"],
    ["endless", { timeout_ms: 200 }, "Stopped after 200 ms"],
  ])("%s explains why %j fails", async (name, args, message) => {
    const result = await wired.client.call(name, args);
    expect(result.isError).toBe(true);
    expect(text(result)).toContain(message);
  });

  test("pages and formats like read_query", async () => {
    const seen: unknown[] = [];
    let cursor: unknown;
    for (const _page of [1, 2, 3]) {
      const result = await wired.client.call("numbers", { above: 0, limit: 100, format: "csv", ...(cursor !== undefined && { cursor }) });
      const structured = result.structuredContent as Json;
      expect(text(result)).toMatch(/^i\r\n\d+\r\n/m);
      seen.push(...(structured["rows"] as unknown[]));
      cursor = structured["nextCursor"];
    }
    expect(cursor).toBeUndefined();
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => [index + 1]));
    const { nextCursor } = (await wired.client.call("numbers", { above: 0, limit: 1 })).structuredContent as Json;
    expect(text(await wired.client.call("numbers", { above: 1, cursor: nextCursor }))).toContain(
      "Invalid cursor: it does not belong to this call",
    );
  });

  test("is checked again after a change of the schema", async () => {
    {
      using db = openDatabase(file);
      db.exec("ALTER TABLE customers RENAME TO people; CREATE VIEW customers AS SELECT load_extension('x') AS name, 1 AS id");
    }
    expect(text(await wired.client.call("customer_names"))).toContain("load_extension");
    using db = openDatabase(file);
    db.exec("DROP VIEW customers; ALTER TABLE people RENAME TO customers");
  });
});

everyRevision("returns rows and errors of a named query", (revision) => expectRowsAndErrors(createShop(), { revision }));

const of = (queries: unknown): string => JSON.stringify({ databases: { shop: { queries } } });

describe("the start fails with an error for", () => {
  const bad: [string, string, string][] = [
    ["text instead of JSON", "title: a shop", "Invalid JSON ("],
    ["a list instead of an object", "[]", "Invalid input: expected object, received array"],
    ["a file without databases", "{}", "databases: Invalid input: expected object, received undefined"],
    ["queries that are a list", of([]), "databases.shop: queries: Invalid input: expected object, received array"],
    ["a query without SQL", of({ a: { title: "A" } }), "databases.shop.queries.a: sql: Invalid input: expected string, received undefined"],
    ["an empty statement", of({ a: " -- nothing" }), "databases.shop.queries.a: Empty query: expected one SQL statement."],
    ["two statements", of({ a: "SELECT 1; SELECT 2" }), "databases.shop.queries.a: Several statements in one query: expected one."],
    ["a statement that writes", of({ a: "WITH x AS (SELECT 1) DELETE FROM t" }), "Only statements that read become tools: this is DELETE"],
    ["a pragma that changes a setting", of({ a: "PRAGMA user_version = 7" }), "PRAGMA user_version is not allowed"],
    ["a name that tools cannot have", of({ "two words": "SELECT 1" }), "databases.shop.queries.two words: Invalid name of a tool"],
    ["the name of a tool", of({ read_query: "SELECT 1" }), "Invalid query read_query of shop: a tool of this server has the same name"],
    [
      "the name of a tool that is not offered",
      of({ write_query: "SELECT 1" }),
      "Invalid query write_query of shop: a tool of this server has the same name",
    ],
    [
      "one name in two databases",
      JSON.stringify({ databases: { shop: { queries: { a: "SELECT 1" } }, other: { queries: { a: "SELECT 2" } } } }),
      "Duplicate name: two databases have a query a. Rename one",
    ],
    ["parameters without names", of({ a: "SELECT ?" }), "Invalid parameter ?: expected a name such as :city"],
    ["Datasette's own parameters", of({ a: "SELECT :_actor_id" }), "Invalid parameter :_actor_id: expected a name such as :city"],
    ["a parameter named cursor", of({ a: "SELECT $cursor" }), "Invalid parameter $cursor: the argument of this name selects the next page"],
    [
      "a parameter that the statement lacks",
      of({ a: { sql: "SELECT ':b'", params: ["b"] } }),
      "params names b, but the statement has no parameter :b",
    ],
    ["a parameter twice", of({ a: { sql: "SELECT :b", params: ["b", "b"] } }), "params names b twice"],
    [
      "an unknown type",
      of({ a: { sql: "SELECT :b", params: [{ name: "b", type: "date" }] } }),
      "params.0.type: Invalid option: expected one of",
    ],
    [
      "a default of another type",
      of({ a: { sql: "SELECT :b", params: { b: { type: "integer", default: "1" } } } }),
      'Invalid default of b: expected integer, got "1"',
    ],
    [
      "a default that is a list",
      of({ a: { sql: "SELECT :b", params: { b: { default: [] } } } }),
      "Invalid default of b: expected text, a number, true, false or null",
    ],
    [
      "a long description",
      of({ a: { sql: "SELECT 1", description: "x".repeat(2001) } }),
      "The description is too long: it has 2001 characters, the limit is 2000",
    ],
    [
      "queries of other databases only",
      JSON.stringify({ databases: { nowhere: { queries: { a: "SELECT 1" } } } }),
      "contains no query that reads shop or other",
    ],
    ["queries that write only", of({ a: { sql: "SELECT 1", write: true } }), "contains no query that reads shop or other"],
  ];
  test.each(bad)("%s", async (_what, content, sentence) => {
    const path = folder.at("bad.json");
    writeFileSync(path, content);
    const two = [...databases, { name: "other", file, write: false }];
    const start = async (): Promise<void> => {
      const { queries } = loadQueries({ file: path, databases: two, toolsets: ["queries"], tools: [] });
      const { server } = createServer({ databases: two, queries });
      await server.ready();
    };
    await expect(start()).rejects.toThrow(
      expect.objectContaining({ name: "StartError", code: 2, message: expect.stringContaining(sentence) }),
    );
  });

  test("a missing file", () => {
    expect(() => load(folder.at("none.json"))).toThrow(`--queries ${folder.at("none.json")} cannot be read (ENOENT): name a JSON file.`);
  });

  test("a folder", () => {
    expect(() => load(folder.path)).toThrow(`--queries ${folder.path}: it is not an ordinary file`);
  });

  test("the toolset queries without --queries", () => {
    expect(() => loadQueries({ file: undefined, databases, toolsets: ["queries"], tools: [] })).toThrow(
      "--toolsets queries needs --queries FILE",
    );
  });
});

test("skips queries that write or belong to another database with a warning", () => {
  const mixed = folder.at("mixed.json");
  writeFileSync(mixed, JSON.stringify({ databases: { ...METADATA.databases, elsewhere: { queries: { a: "ignored" } } } }));
  const { queries, warnings } = load(mixed);
  expect(queries.map(({ name }) => name)).toEqual(NAMES);
  expect(warnings).toEqual([
    expect.stringContaining("Skipped: query add_customer of shop: it writes"),
    expect.stringContaining("Skipped: queries of elsewhere: no database with this name is served"),
  ]);
});

test("names in a warning the toolset that named queries need", () => {
  const hint = "--queries has no effect without --toolsets default,queries";
  expect(load(metadata, []).warnings).toContain(hint);
  expect(load(metadata, ["default"], ["numbers"]).warnings).toContain(hint);
  expect(load(metadata, [], ["numbers"]).warnings).not.toContain(hint);
  expect(load(metadata, ["default", "queries"]).warnings).not.toContain(hint);
});
