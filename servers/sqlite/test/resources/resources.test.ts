// Resources, completions and prompts.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const read = async (uri: string): Promise<unknown> => (await shop.client.read(uri)).contents;

test("RES-14 RES-19 lists the memo, the schema, the diagram and its templates", async () => {
  expect((await Array.fromAsync(shop.client.resources())).map(({ uri }) => uri)).toEqual([
    "memo://insights",
    "sqlite://shop/schema",
    "sqlite://shop/diagram",
  ]);
  expect((await Array.fromAsync(shop.client.templates())).map(({ uriTemplate }) => uriTemplate)).toEqual([
    "sqlite://{database}/schema",
    "sqlite://{database}/diagram",
    "sqlite://{database}/table/{table}/rows",
    "sqlite://{database}/table/{table}",
    "sqlite://{database}/blob/{table}/{column}/{rowid}",
  ]);
});

test("RES-03 RES-04 panasenco/mcp-sqlite serves schema, tables, rows and values as resources", async () => {
  expect(await read("sqlite://shop/schema")).toEqual([
    {
      uri: "sqlite://shop/schema",
      mimeType: "application/sql",
      text: expect.stringMatching(
        /^CREATE TABLE customers[^]*CREATE VIRTUAL TABLE notes USING fts5\(title, body\);\n[^]*CREATE INDEX orders_by_customer/,
      ),
    },
  ]);
  const [table] = (await read("sqlite://shop/table/orders")) as [{ text: string }];
  expect(JSON.parse(table.text)).toMatchObject({ table: "orders", primaryKey: ["id"] });
  const [rows] = (await read("sqlite://shop/table/orders/rows")) as [{ text: string }];
  expect(JSON.parse(rows.text)).toMatchObject({ rows: [[1, 1, 12.5, "2026-01-02"], {}, {}], truncated: false });
  expect(await read("sqlite://shop/blob/customers/photo/1")).toEqual([
    { uri: "sqlite://shop/blob/customers/photo/1", mimeType: "application/octet-stream", blob: "AQL/" },
  ]);
  expect(await read("sqlite://shop/blob/customers/name/2")).toEqual([
    { uri: "sqlite://shop/blob/customers/name/2", mimeType: "text/plain", text: "Grace" },
  ]);
});

test("accepts any character in a name that has a meaning in URIs", async () => {
  const name = "a/b?c#d%e";
  await using other = await openShop({ sql: `CREATE TABLE "${name}" ("x/y"); INSERT INTO "${name}" VALUES ('z'); CREATE TABLE rows (r);` });
  const at = `shop/table/${encodeURIComponent(name)}`;
  const textAt = async (uri: string): Promise<string> => ((await other.client.read(uri)).contents[0] as { text: string }).text;
  expect(JSON.parse(await textAt(`sqlite://${at}`))).toMatchObject({ table: name });
  expect(JSON.parse(await textAt(`SQLITE://${at}/rows`))).toMatchObject({ rows: [["z"]] });
  expect(JSON.parse(await textAt("sqlite://shop/table/rows/rows"))).toMatchObject({ rows: [] });
  expect(await textAt(`sqlite://shop/blob/${encodeURIComponent(name)}/x%2Fy/1`)).toBe("z");
  await other.client.subscribe(`sqlite://${at}`, () => undefined);
  for (const uri of ["sqlite://shop/table/a/b%3Fc%23d%25e", "sqlite://shop/table/", "sqlite://shop/table/rows/rows/rows"])
    await expect(other.client.read(uri), uri).rejects.toMatchObject({ data: { uri } });
  await expect(other.client.read("sqlite://shop/table/%zz")).rejects.toThrow("Malformed percent escape");
});

test.each([
  "sqlite://other/schema",
  "sqlite://shop/table/nowhere",
  "sqlite://shop/table/nowhere/rows",
  "sqlite://shop/table/sqlite_sequenc%65",
  "sqlite://shop/blob/customers/nothing/1",
  "sqlite://shop/blob/customers/name/99",
  "sqlite://shop/blob/customers/name/9223372036854775808",
  "sqlite://shop/else",
])("RES-06 RES-12 reports %s as not found with its URI", async (uri) => {
  await expect(shop.client.read(uri)).rejects.toMatchObject({ data: { uri } });
  if (!uri.endsWith("else") && !uri.includes("/blob/"))
    await expect(shop.client.subscribe(uri, () => undefined)).rejects.toMatchObject({ data: { uri } });
});

describe("the memo", () => {
  test("has one line for each insight and leaves the database unchanged", async () => {
    expect(await read("memo://insights")).toMatchObject([{ text: "No business insights have been discovered yet." }]);
    await shop.call("append_insight", { insight: "Ada buys\n-\u2028twice" });
    expect(await shop.structured("append_insight", { insight: "Grace once" })).toEqual({ count: 2 });
    const [{ text }] = (await read("memo://insights")) as [{ text: string }];
    expect(text.split("\n")).toEqual(expect.arrayContaining(["- Ada buys - twice", "- Grace once"]));
    expect((await Array.fromAsync(shop.client.resources())).length).toBe(3);
    expect(await shop.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%insight%'")).toEqual([]);
    expect(await shop.failure("append_insight", { insight: "  " })).toBe("Invalid insight: expected a text, got blanks.");
  });
});

describe("completions", () => {
  const uri = "sqlite://{database}/blob/{table}/{column}/{rowid}";
  const complete = async (name: string, value: string, known: Record<string, string> = {}): Promise<unknown> =>
    (
      (
        await shop.client.request("completion/complete", {
          ref: { type: "ref/resource", uri },
          argument: { name, value },
          context: { arguments: known },
        })
      )["completion"] as Json
    )["values"];

  test.each([
    ["database", "SH", {}, ["shop"]],
    ["table", "o", {}, ["orders"]],
    ["table", "", { database: "shop" }, ["customers", "notes", "orders", "spending"]],
    ["table", "", { database: "none" }, []],
    ["column", "", { table: "customers" }, ["id", "name", "email", "photo"]],
    ["column", "t", {}, ["title", "total"]],
  ])("complete %s %j after %j", async (name, value, known, values) => {
    expect(await complete(name, value, known)).toEqual(values);
  });
});

describe("prompts", () => {
  const promptText = async (name: string, args: Record<string, string>): Promise<string> =>
    JSON.stringify((await shop.client.prompt(name, args)).messages);

  test("contain the given arguments", async () => {
    expect((await Array.fromAsync(shop.client.prompts())).map(({ name }) => name)).toEqual([
      "mcp-demo",
      "explore_database",
      "optimize_query",
      "report",
    ]);
    expect(await promptText("mcp-demo", { topic: "retail" })).toContain("made-up data about retail");
    expect(await promptText("explore_database", {})).toContain("orders_by_customer".slice(0, 6));
    expect(await promptText("optimize_query", { query: "SELECT * FROM customers WHERE name = 'x'" })).toContain("customers_name");
    expect(await promptText("report", { topic: "sales", database: "shop" })).toContain("report on sales");
  });

  test("refuse missing and unknown arguments", async () => {
    await expect(shop.client.prompt("mcp-demo", {})).rejects.toMatchObject({ code: -32602 });
    await expect(shop.client.prompt("explore_database", { database: "none" })).rejects.toMatchObject({ code: -32602 });
    await expect(shop.client.prompt("optimize_query", { query: "DROP" })).rejects.toMatchObject({ code: -32602 });
  });
});
