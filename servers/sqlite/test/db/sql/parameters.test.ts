// Values bound to parameters: exactly as many as the statement has, each unchanged or refused.
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { bindValues, type Params } from "../../../src/db/sql/parameters.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";

/** The row that SQLite gives for the bound values. */
function selected(sql: string, params: Params | undefined): unknown {
  const db = new Database(":memory:");
  try {
    return db
      .prepare(sql)
      .raw()
      .safeIntegers()
      .get(...bindValues(parseStatement(sql), params));
  } finally {
    db.close();
  }
}

test.each<[string, Params | undefined, unknown[]]>([
  ["SELECT 1", undefined, [1n]],
  ["SELECT 1", [], [1n]],
  ["SELECT 1", {}, [1n]],
  ["SELECT ?, ?", ["a", 2], ["a", 2n]],
  ["SELECT ?2, ?1, ?2", ["a", "b"], ["b", "a", "b"]],
  ["SELECT ?2, ?", ["a", "b", "c"], ["b", "c"]],
  ["SELECT $2, $1, $2", ["a", "b"], ["b", "a", "b"]],
  ["SELECT ?, ?3, ?2, ?", ["a", "b", "c", "d"], ["a", "c", "b", "d"]],
  ["SELECT ?01, ?, ?1", ["a", "b"], ["a", "b", "a"]],
  ["SELECT :a, @b, $c, :a", { ":a": 1, "@b": null, $c: true }, [1n, null, 1n, 1n]],
  ["SELECT :a", { a: false }, [0n]],
  ["SELECT typeof(?), typeof(?), typeof(?)", [1, 1.5, 2e19], ["integer", "real", "real"]],
  ["SELECT ?, ?", [2 ** 53 - 1, -(2 ** 53) + 1], [2n ** 53n - 1n, -(2n ** 53n) + 1n]],
  ["SELECT ?", [{ integer: "-9223372036854775808" }], [-(2n ** 63n)]],
  ["SELECT ?", [{ integer: "9223372036854775807" }], [2n ** 63n - 1n]],
  ["SELECT hex(?), hex(?), hex(?)", [{ base64: "AAH/" }, { base64: "AA==", bytes: 1 }, { base64: "AA" }], ["0001FF", "00", "00"]],
])("%s binds %j", (sql, params, row) => {
  expect(selected(sql, params)).toEqual(row);
});

const KINDS = 'expected text, a number, true, false, null, {"base64": …} for a BLOB or {"integer": "…"} for a large integer.';
const ROUNDED = 'JSON numbers past 2^53 are rounded. Pass the integer as {"integer": "…"}.';
const manyNames = Array.from({ length: 25 }, (_, index) => `n${index}`);

test.each<[string, Params | undefined, string]>([
  ["SELECT ?", undefined, "Invalid params: the statement has 1 parameter, but params holds 0 values."],
  ["SELECT ?, ?4", [1], "Invalid params: the statement has 4 parameters, but params holds 1 value."],
  ["SELECT 1", [1], "Invalid params: the statement has 0 parameters, but params holds 1 value."],
  ["SELECT ?", { a: 1 }, "Invalid params: the statement has no named parameters. Pass a list of 1 value."],
  ["SELECT ?", {}, "Invalid params: the statement has no named parameters. Pass a list of 1 value."],
  ["SELECT 1", { a: 1 }, "Invalid params: the statement has no named parameters. Pass a list of 0 values."],
  ["SELECT ?32767", [], "Too many parameters: the statement has 32767, the limit is 32766."],
  ["SELECT ?32766", [], "Invalid params: the statement has 32766 parameters, but params holds 0 values."],
  ["SELECT :a, :b", undefined, "Invalid params: expected an object with values for a, b."],
  ["SELECT :a", [1], "Invalid params: expected an object with values for a."],
  ["SELECT ?, :a", { a: 1 }, "The statement mixes ? with named parameters. Use one kind only."],
  ["SELECT :a, ?1", [1], "The statement mixes ? with named parameters. Use one kind only."],
  ["SELECT :a, :b", { a: 1 }, "Invalid params: no value for b. The statement has a, b."],
  ["SELECT :a", { a: 1, b: 2, c: 3 }, "Invalid params: unknown name b, c. The statement has a."],
  ["SELECT :a", { "a:": 1 }, "Invalid params: no value for a."],
  ["SELECT :a", { a: 1, "@a": 2 }, "Invalid params: a name is given twice, with and without its prefix. Give one value for each of a."],
  [
    `SELECT ${manyNames.map((name) => `:${name}`).join(",")}`,
    [],
    `Invalid params: expected an object with values for ${manyNames.slice(0, 20).join(", ")}.`,
  ],
  ["SELECT :a", { a: [1] }, `Invalid params.a: ${KINDS}`],
  ["SELECT ?", [{ base64: 1 }], `Invalid params[0]: ${KINDS}`],
  ["SELECT ?", [{ integer: 1 }], `Invalid params[0]: ${KINDS}`],
  ["SELECT ?, ?", [1, {}], `Invalid params[1]: ${KINDS}`],
  ["SELECT ?", [undefined], `Invalid params[0]: ${KINDS}`],
  ["SELECT ?", [2 ** 53], `Invalid params[0]: ${ROUNDED}`],
  ["SELECT ?", [2 ** 63], `Invalid params[0]: ${ROUNDED}`],
  ["SELECT ?", [-(2 ** 63)], `Invalid params[0]: ${ROUNDED}`],
  ["SELECT ?", ["a\uD800"], "Invalid params[0]: the text contains a lone surrogate, which SQLite cannot store."],
  ["SELECT ?", [{ base64: "A" }], "Invalid params[0]: the base64 text is malformed."],
  ["SELECT ?", [{ base64: "AA==AA" }], "Invalid params[0]: the base64 text is malformed."],
  [
    "SELECT ?",
    [{ base64: "AAH/", bytes: 5 }],
    'Invalid params[0]: "bytes" is 5, but base64 holds 3. A truncated BLOB cannot be written back.',
  ],
  ...["9223372036854775808", "-9223372036854775809", "1.5", "x1", "1x", "", "12345678901234567890"].map(
    (integer): [string, Params, string] => ["SELECT ?", [{ integer }], "Invalid params[0]: expected a 64-bit integer in decimal digits."],
  ),
])("%s refuses %j", (sql, params, message) => {
  expect(() => bindValues(parseStatement(sql), params)).toThrow(message);
});

test("counts the values of a list for parameters that PostgreSQL numbers", () => {
  const statement = parseStatement("SELECT $2, $1, $2");
  expect(() => bindValues(statement, ["a"])).toThrow("the statement has 2 parameters, but params holds 1 value");
  expect(() => bindValues(parseStatement("SELECT $1, $name"), ["a", "b"])).toThrow("expected an object with values for 1, name");
});
