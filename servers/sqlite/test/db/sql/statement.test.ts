// Tokens and statements of SQL, before SQLite sees them.
import { cpuMs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { parseStatement } from "../../../src/db/sql/statement.ts";
import { tokensOf } from "../../../src/db/sql/tokens.ts";

describe("tokens", () => {
  const texts: [string, string[]][] = [
    ["SELECT 'it''s', \"a\"\"b\", `c`, [d e]", ["SELECT", "it's", ",", 'a"b', ",", "c", ",", "d e"]],
    ["a -- b\n c /* d ' */ e", ["a", "c", "e"]],
    ["\uFEFFa\fb\t/**/c/*", ["a", "b", "c"]],
    ["'--' /*'*/ '/*'", ["--", "/*"]],
    [":a @b $c ?1 ?", [":a", "@b", "$c", "?1", "?"]],
    ["1.5e3 .5 0x1F x'00'", ["1.5e3", ".5", "0x1F", "x", "00"]],
    ["naïve_日本", ["naïve_日本"]],
    ["a 'open", ["a", "open"]],
  ];
  test.each(texts)("tokensOf splits %j", (sql, values) => {
    expect(tokensOf(sql).map(({ value }) => value)).toEqual(values);
  });

  test("tokensOf takes linear time for repeated characters", () => {
    const before = cpuMs();
    for (const part of ["'", '"', "/*", "--", "-", "/", "*", "[", "a", "1", "?", " ", "\n", "''", "/**/", "é"])
      tokensOf(part.repeat(200_000));
    // Quadratic time would be minutes.
    expect(cpuMs() - before).toBeLessThan(5000);
  });
});

describe("verbs", () => {
  const verbs: [string, string][] = [
    ["select 1", "SELECT"],
    [";; /* x */ Delete FROM t ;", "DELETE"],
    ["WITH a AS (SELECT 1), b(x, y) AS NOT MATERIALIZED (SELECT ')') INSERT INTO t SELECT * FROM b", "INSERT"],
    ["WITH RECURSIVE a AS (VALUES (1)) UPDATE t SET x = 1", "UPDATE"],
    ["WITH recursive AS (SELECT 1) SELECT * FROM recursive", "SELECT"],
    ["WITH replace AS (SELECT 1) DELETE FROM t", "DELETE"],
    ["EXPLAIN QUERY PLAN WITH a AS (SELECT 1) DELETE FROM t", "DELETE"],
    ["EXPLAIN PRAGMA x = 1", "PRAGMA"],
    ["CREATE TRIGGER t BEGIN SELECT 1; END", "CREATE"],
  ];
  test.each(verbs)("parseStatement finds the verb of %s", (sql, verb) => {
    expect(parseStatement(sql).verb).toBe(verb);
  });

  test("parseStatement removes blanks, comments and semicolons around a statement", () => {
    expect(parseStatement(" \n;/* a */ SELECT 1 -- b\n ; ").sql).toBe("SELECT 1");
  });

  test.each([
    "",
    ";",
    "-- x",
    "SELECT 1; SELECT 2",
    "(SELECT 1)",
    "'SELECT' 1",
    "ATTACH 'a' AS b",
    "EXPLAIN VACUUM",
    "SELECT 1\0; DROP TABLE t",
    `SELECT ${"1,".repeat(600_000)}1`,
  ])("parseStatement refuses %j", (sql) => {
    expect(() => parseStatement(sql)).toThrow(expect.objectContaining({ code: "refused", expose: true }));
  });
});
