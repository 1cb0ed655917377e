// Index advice on thirty queries: the plan uses what is proposed, and nothing is proposed that the table has already.
import { expect, test } from "vitest";
import { suggestIndexes } from "../../../src/db/analysis/index-suggestions.ts";
import { explainPlan } from "../../../src/db/analysis/query-plan.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";
import { openDatabase } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";
import { QUERIES, SCHEMA } from "./advice-queries.ts";

test.each(QUERIES)("for %s: %j", async (sql, expected) => {
  await using opened = await openEngine(SCHEMA);
  const { suggestions } = explainPlan(opened.engine, { op: "plan", sql });
  const indexes = suggestions.map((one) => /ON (.*)$/.exec(one.sql)?.[1]?.replaceAll('"', "").replace(" (", "(").replaceAll(", ", ","));
  expect(indexes).toEqual(expected);
  using peer = openDatabase(opened.file);
  for (const one of suggestions) peer.exec(one.sql);
  const plan = (peer as unknown as { explain(sql: string): { detail: string }[] }).explain(`QUERY PLAN ${sql}`).map(({ detail }) => detail);
  for (const { step, after, before } of suggestions) {
    expect(plan).toContain(step);
    expect(after).toEqual(plan);
    expect(before).not.toEqual([]);
  }
});

test.each<[condition: string, indexes: string[]]>([
  ["done IS NULL", []],
  ["done IS NULL AND owner = 3", ["owner"]],
  ["owner = 3 AND done IS NULL ORDER BY at", ["owner, at"]],
  ["done = 'x'", ["done"]],
  ["done IS NOT NULL AND open = 1", []],
  ["open == '1'", []],
  ["open = 0", ["open"]],
  ["open IS 0 AND done IS NULL", ["open"]],
  ["owner IS NULL", ["owner"]],
])("proposes no index for what most rows have: %s", async (condition, expected) => {
  await using opened = await openEngine(`CREATE TABLE tasks (id INTEGER PRIMARY KEY, done TEXT, open INT, owner INT, at TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO tasks SELECT i, iif(i % 20, NULL, 'x'), i % 9 > 0, i % 50, i FROM c`);
  const { suggestions } = explainPlan(opened.engine, { op: "plan", sql: `SELECT * FROM tasks WHERE ${condition}` });
  expect(suggestions.map(({ sql }) => /\((.*)\)$/.exec(sql)?.[1]?.replaceAll('"', ""))).toEqual(expected);
});

test("tries no further index when its time is over", async () => {
  await using opened = await openEngine(SCHEMA);
  const statement = parseStatement("SELECT * FROM orders WHERE customer_id = 1");
  expect(suggestIndexes(opened.engine.db, statement)).toHaveLength(1);
  expect(suggestIndexes(opened.engine.db, statement, 0)).toEqual([]);
});
