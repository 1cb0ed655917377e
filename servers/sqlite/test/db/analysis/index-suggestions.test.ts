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

test("tries no further index when its time is over", async () => {
  await using opened = await openEngine(SCHEMA);
  const statement = parseStatement("SELECT * FROM orders WHERE customer_id = 1");
  expect(suggestIndexes(opened.engine.db, statement)).toHaveLength(1);
  expect(suggestIndexes(opened.engine.db, statement, 0)).toEqual([]);
});
