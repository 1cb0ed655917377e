// Rule G9: resources and completions have the same guard as the tools; SQL-18 through them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFortress, type Fortress } from "./fortress.ts";

let fortress: Fortress;
beforeAll(async () => {
  fortress = await openFortress();
});
afterAll(() => fortress[Symbol.asyncDispose]());

const e = encodeURIComponent;
const readsOf = (uri: string) => fortress.request("resources/read", { uri });

test.each([
  ...[
    "t); DROP TABLE t;--",
    "'t'",
    '"t"',
    "[t]",
    "main.t",
    "t ",
    "nowhere",
    "sqlite_schema",
    "texts_data",
    "dbstat",
    "sqlite_dbpage",
    "pragma_query_only",
    "x\u0000",
    "../t",
  ].flatMap((table) => [
    `sqlite://main/table/${e(table)}`,
    `sqlite://main/table/${e(table)}/rows`,
    `sqlite://main/blob/${e(table)}/name/1`,
  ]),
  ...["../OUT/outside.db", "OUT%2Foutside.db", ":memory:", "nowhere", "", "temp", "__proto__"].map(
    (database) => `sqlite://${database}/schema`,
  ),
  ...["rowid); DELETE FROM t; --", "nowhere", "hex(fts3_tokenizer('simple'))", "*"].map((column) => `sqlite://main/blob/t/${e(column)}/1`),
  ...["x", "1 OR 1=1", "-1; DROP TABLE t", "9223372036854775808", "1e3", ""].map((row) => `sqlite://main/blob/t/name/${e(row)}`),
  ...[
    "sqlite://main",
    "sqlite://",
    "sqlite:///main/schema",
    "SQLITE://main/schema/x",
    "sqlite://main/table/t?x",
    "sqlite://main/table/t#f",
    "sqlite://user@main/schema",
    "sqlite://main:80/schema",
    "sqlite://main/table/%zz",
    "file:///etc/passwd",
    "memo://other",
  ],
])("SQL-18 refuses the address %j and runs nothing", async (uri) => {
  const before = fortress.inside();
  const { error, result } = await readsOf(uri);
  // Shadow tables are tables of the file: they may be read.
  if (error === undefined) expect(uri).toMatch(/texts_data|sqlite_schema|SQLITE:/);
  // The address itself may contain a long number.
  expect(JSON.stringify(error ?? result).replaceAll(uri, "")).not.toMatch(/Internal error|[0-9A-F]{16}/);
  expect(fortress.inside()).toEqual(before);
});

test("SQL-25 completes any input with a bounded list of names", async () => {
  for (const value of ["", "t", "%", "../", "'; DROP TABLE t; --", "x".repeat(100_000), "\u0000", "[", "*".repeat(1000)]) {
    for (const name of ["database", "table"]) {
      const ref = { type: "ref/resource", uri: "sqlite://{database}/table/{table}" };
      const answer = await fortress.request("completion/complete", {
        ref,
        argument: { name, value },
        context: { arguments: { database: "main" } },
      });
      const { values } = (answer["result"] as { completion: { values: string[] } } | undefined)?.completion ?? { values: [] };
      expect(values.length).toBeLessThanOrEqual(100);
      expect(JSON.stringify(answer)).not.toMatch(/Internal error|outside|OUT/);
    }
  }
});

test("keeps rules (a) to (f) after all of these", () => fortress.checkRules());
