// PRAGMA statements as SELECTs of the same rows.
import { expect, test } from "vitest";
import { pragmaAsSelect } from "../../../src/db/sql/pragma-table.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";

test.each([
  ["PRAGMA user_version", "SELECT * FROM pragma_user_version"],
  ["pragma Page_Size;", "SELECT * FROM pragma_page_size"],
  ["PRAGMA main.page_size", "SELECT * FROM pragma_page_size"],
  ["PRAGMA table_info(t)", "SELECT * FROM pragma_table_info('t')"],
  ["PRAGMA main.table_info('it''s')", "SELECT * FROM pragma_table_info('it''s')"],
  ['PRAGMA table_info("a b")', "SELECT * FROM pragma_table_info('a b')"],
  ["PRAGMA integrity_check(5)", "SELECT * FROM pragma_integrity_check('5')"],
])("reads %s as %s", (sql, expected) => {
  expect(pragmaAsSelect(parseStatement(sql))).toBe(expected);
});

test.each([
  "PRAGMA journal_mode",
  "PRAGMA user_version = 5",
  "PRAGMA table_info t",
  "PRAGMA table_info(t",
  "PRAGMA table_info(t, u)",
  "PRAGMA table_info(:t)",
  "PRAGMA table_info = t",
  "PRAGMA table_info [t)",
  "PRAGMA table_info(t]",
  "PRAGMA table_info(())",
  "EXPLAIN PRAGMA user_version",
  "PRAGMA",
  "PRAGMA main.journal_mode",
])("refuses %s", (sql) => {
  expect(() => pragmaAsSelect(parseStatement(sql))).toThrow(
    /^PRAGMA \w* is not allowed: (?:only pragmas that read are, as PRAGMA name\(argument\), such as table_info, |foreign keys are enforced)/,
  );
});
