// Statements as models write them: in code blocks, and in the words of other databases.
import { expect, test } from "vitest";
import { parseStatement, withoutFence } from "../../../src/db/sql/statement.ts";

const FENCE = "```";

test.each([
  `${FENCE}sql\nSELECT 1\n${FENCE}`,
  `${FENCE} sqlite\r\nSELECT 1;\r\n${FENCE}\n`,
  `\n ${FENCE}\nSELECT 1\n${FENCE};`,
  `${FENCE}sql SELECT 1${FENCE}`,
  `${FENCE}SQLite3 SELECT 1;${FENCE}`,
  `${FENCE}sqlite   SELECT 1${FENCE}`,
  `${FENCE}SELECT 1${FENCE}`,
])("reads the statement in the code block %j", (text) => {
  expect(parseStatement(text).sql).toBe("SELECT 1");
});

test.each([`SELECT '${FENCE}sql SELECT 2${FENCE}'`, `SELECT 1 -- ${FENCE}\nSELECT 2${FENCE}`, `SELECT '${FENCE}\nx${FENCE}' AS a`])(
  "reads %j with a partial block unchanged",
  (text) => {
    expect(withoutFence(text)).toBe(text);
  },
);

test.each([
  ["SHOW TABLES", "list_tables"],
  ["show columns from t", "describe_table"],
  ["DESCRIBE t", "describe_table"],
  ["desc t;", "describe_table"],
  [`${FENCE}sql\nSHOW TABLES\n${FENCE}`, "list_tables"],
  ["USE shop", "argument database"],
  ["TRUNCATE TABLE t", "DELETE FROM"],
  ["MERGE INTO t", "ON CONFLICT DO UPDATE"],
  ["UPSERT INTO t", "ON CONFLICT DO UPDATE"],
])("names the alternative to %j", (text, next) => {
  expect(() => parseStatement(text)).toThrow(next);
});

test.each([" ", "\t", "\n", "`", "a", ";"])("reads a long block of %j once", (part) => {
  // A pattern that tried each length took minutes.
  const text = `${FENCE}${part.repeat(400_000)}x`;
  expect(withoutFence(text)).toBe(text);
  expect(withoutFence(`${text}${FENCE}`).length).toBeGreaterThan(0);
});
