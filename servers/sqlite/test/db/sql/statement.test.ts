// Tokens and statements of SQL, before SQLite sees them.
import { describe, expect, test } from "vitest";
import {
  countsChanges,
  isExplainQueryPlan,
  isInsert,
  isReading,
  isUpdateOrDelete,
  parseStatement,
  withoutExplain,
} from "../../../src/db/sql/statement.ts";
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
});

describe("verbs", () => {
  const verbs: [string, string][] = [
    ["select 1", "SELECT"],
    [";; /* x */ Delete FROM t ;", "DELETE"],
    ["WITH a AS (SELECT 1), b(x, y) AS NOT MATERIALIZED (SELECT ')') INSERT INTO t SELECT * FROM b", "INSERT"],
    ["WITH RECURSIVE a AS (VALUES (1)) UPDATE t SET x = 1", "UPDATE"],
    ["WITH a(x) AS (VALUES (1)) UPDATE t SET x = 1", "UPDATE"],
    ["WITH RECURSIVE a(x) AS (VALUES (1)) UPDATE t SET x = 1", "UPDATE"],
    ["CREATE TEMP TRIGGER t BEGIN SELECT 1; END", "CREATE"],
    ["CREATE TEMPORARY TRIGGER t BEGIN SELECT 1; END", "CREATE"],
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

  const OTHER = "is not allowed: other databases are not opened. Name them when the server is started (NAME=FILE).";
  const OWN = "is not allowed: a transaction ends with its call. Use run_transaction to run several statements as one.";
  const COPY =
    "is not allowed: it rewrites the file. backup_database with compact: true (a tool of --toolsets files) writes a copy without free room.";
  const EXPECTED = "Invalid statement: expected a SQL verb such as SELECT or INSERT, got";
  const SEVERAL = "Several statements in one query: expected one. Use run_transaction to run several as one.";

  test.each<[sql: string, message: string]>([
    ["", "Empty query: expected one SQL statement."],
    [";", "Empty query: expected one SQL statement."],
    ["-- x", "Empty query: expected one SQL statement."],
    ["SELECT 1; SELECT 2", SEVERAL],
    ["SELECT trigger; SELECT 2", SEVERAL],
    ["CREATE TABLE t (trigger); SELECT 1", SEVERAL],
    ["(SELECT 1)", `${EXPECTED} "(SELECT 1)".`],
    ["'SELECT' 1", `${EXPECTED} "'SELECT' 1".`],
    [`; ${"x".repeat(90)}`, `${EXPECTED} "${"x".repeat(40)}".`],
    ["WITH", `${EXPECTED} "WITH".`],
    ["EXPLAIN", `${EXPECTED} "EXPLAIN".`],
    ["QUERY PLAN SELECT 1", `${EXPECTED} "QUERY PLAN SELECT 1".`],
    ["EXPLAIN QUERY SELECT 1", EXPECTED],
    ["ATTACH 'a' AS b", `ATTACH ${OTHER}`],
    ["detach b", `DETACH ${OTHER}`],
    ["EXPLAIN VACUUM", `VACUUM ${COPY}`],
    ...["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a", "RELEASE a"].map((sql): [string, string] => [
      sql,
      `${sql.split(" ")[0]} ${OWN}`,
    ]),
    ["SELECT 1\0; DROP TABLE t", "Invalid statement: it contains a NUL character. Bind such text as a parameter."],
    ["SELECT '\ud800'", "Invalid statement: it contains a lone surrogate, which UTF-8 cannot represent."],
    [`SELECT ${"1,".repeat(600_000)}1`, "The statement is too long: it has 1200008 characters, the limit is 1000000."],
  ])("parseStatement refuses %.80j", (sql, message) => {
    expect(() => parseStatement(sql)).toThrow(
      expect.objectContaining({ code: "refused", expose: true, message: expect.stringContaining(message) as string }) as Error,
    );
  });

  test.each([
    ["SELECT 1", "SELECT 1", false],
    ["EXPLAIN SELECT 1", "SELECT 1", false],
    ["EXPLAIN QUERY PLAN\n SELECT 1", "SELECT 1", true],
    ["; explain query plan WITH a AS (SELECT 1) DELETE FROM t", "WITH a AS (SELECT 1) DELETE FROM t", true],
  ])("withoutExplain of %j is %j", (sql, explained, isPlan) => {
    const statement = parseStatement(sql);
    expect([withoutExplain(statement), isExplainQueryPlan(statement)]).toEqual([explained, isPlan]);
  });

  test("parseStatement lists the variables, repeated ones too", () => {
    expect(parseStatement("SELECT :a, ?, '?', @b, :a").variables).toEqual([":a", "?", "@b", ":a"]);
  });

  test.each([
    ["SELECT", "reads"],
    ["VALUES", "reads"],
    ["INSERT", "inserts"],
    ["REPLACE", "inserts"],
    ["UPDATE", "updates or deletes"],
    ["DELETE", "updates or deletes"],
    ["CREATE", "changes no rows"],
    ["PRAGMA", "changes no rows"],
  ] as const)("%s %s", (verb, kind) => {
    const [inserts, changes] = [kind === "inserts", kind === "updates or deletes"];
    expect([isReading(parseStatement(verb)), isInsert(verb), isUpdateOrDelete(verb), countsChanges(verb)]).toEqual([
      kind === "reads",
      inserts,
      changes,
      inserts || changes,
    ]);
  });
});

test("S6 escapes control characters in the refusal of a text without a statement", () => {
  expect(() => parseStatement("a\u202eb\u0007c\u2066d")).toThrow('got "a\\u202eb\\u0007c\\u2066d".');
});
