// Index advice in time: each query with advice is faster with the index, many times over all of them together.
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { explainPlan } from "../../../src/db/analysis/query-plan.ts";
import { openDatabase } from "../../support/databases.ts";
import { openEngine } from "../../support/engine.ts";
import { QUERIES, SCHEMA } from "./advice-queries.ts";

const RUNS = 5;

test("proposed indexes make their queries faster", async () => {
  await using opened = await openEngine(SCHEMA.replace("i < 2000", "i < 40000"));
  using db = openDatabase(opened.file);
  const timeOf = (sql: string): number => {
    const statement = db.prepare(sql);
    const values = Array.from({ length: sql.split("?").length - 1 }, () => "1");
    const times = Array.from({ length: RUNS }, () => {
      db.exec("BEGIN");
      const before = cpuMs();
      if (statement.reader) statement.all(...values);
      else statement.run(...values);
      const taken = cpuMs() - before;
      db.exec("ROLLBACK");
      return taken;
    });
    return Math.min(...times);
  };
  const rows = QUERIES.filter(([, indexes]) => indexes.length > 0).map(([sql]) => {
    const { suggestions } = explainPlan(opened.engine, { op: "plan", sql });
    const before = timeOf(sql);
    for (const one of suggestions) db.exec(one.sql);
    const after = timeOf(sql);
    for (const one of suggestions) db.exec(one.sql.replace(/^CREATE INDEX (\S+) .*/s, "DROP INDEX $1"));
    return { sql, before, after };
  });
  console.table(
    rows.map(({ sql, before, after }) => ({ sql: sql.slice(0, 70), "before ms": before.toFixed(2), "after ms": after.toFixed(2) })),
  );
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
  expect(rows.filter(({ before, after }) => after > before * 1.1 + 0.5).map(({ sql }) => sql)).toEqual([]);
  expect(sum(({ after }) => after)).toBeLessThan(sum(({ before }) => before) / 2);
});
