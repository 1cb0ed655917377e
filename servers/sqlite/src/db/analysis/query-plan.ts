// How SQLite would run a statement: the plan as a tree, full scans, temporary B-trees, and the indexes that are used.
import type Database from "better-sqlite3";
import type { Engine } from "../engine/engine.ts";
import type { PlanReply, PlanRequest, PlanStep } from "../protocol/query-messages.ts";
import { boundParams } from "../engine/bound-params.ts";
import { isReading, parseStatement, withoutExplain } from "../sql/statement.ts";
import { suggestIndexes } from "./index-suggestions.ts";
import { planRowsOf, type PlanRow } from "./plan-rows.ts";

/** Views upon views make plans of thousands of steps, each a level deeper than the one before. */
const MAX_STEPS = 1000;
const MAX_DEPTH = 30;

export function explainPlan(engine: Engine, { sql, params }: PlanRequest): PlanReply {
  const { db } = engine;
  const explained = withoutExplain(parseStatement(sql));
  const { statement } = engine.allowed(explained, isReading(parseStatement(explained)) ? "read" : "write");
  const values = params === undefined ? undefined : boundParams(db, statement, params);
  const rows = planRowsOf(db, statement.sql);
  const steps = rows.slice(0, MAX_STEPS);
  const details = steps.map(({ detail }) => detail);
  const fullScans = details.filter(isFullScan).map((detail) => detail.slice("SCAN ".length));
  return {
    plan: treeOf(steps),
    ...(rows.length > steps.length && { truncated: true }),
    fullScans,
    tempBTrees: details.filter((detail) => detail.startsWith("USE TEMP B-TREE")),
    indexes: usedIndexes(db, details),
    suggestions: suggestIndexes(db, statement, undefined, values),
  };
}

const isFullScan = (detail: string): boolean => /^SCAN (?!CONSTANT)/.test(detail) && !/ USING | VIRTUAL TABLE/.test(detail);

/** Names stand in a plan without quotes, blanks included, so the longest known name counts. */
function usedIndexes(db: Database.Database, details: readonly string[]): string[] {
  const known = db.prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'index'").pluck().all();
  const used = details.flatMap((detail) => {
    const rest = / USING (?:COVERING )?INDEX (.+)$/s.exec(detail)?.[1];
    if (rest === undefined) return [];
    const matching = known.filter((name) => rest === name || rest.startsWith(`${name} `));
    return matching.toSorted((one, other) => other.length - one.length)[0] ?? rest.split(" ")[0] ?? [];
  });
  return [...new Set(used)];
}

type MutableStep = { detail: string; steps?: MutableStep[] };

/** A step comes before its children. Steps below the maximum depth become siblings of the deepest one. */
function treeOf(rows: readonly PlanRow[]): PlanStep[] {
  const root: MutableStep & { steps: MutableStep[] } = { detail: "", steps: [] };
  const top = { step: root as MutableStep, depth: 0 };
  const byId = new Map([[0, top]]);
  for (const { id, parent, detail } of rows) {
    const above = byId.get(parent) ?? top;
    const step: MutableStep = { detail };
    (above.step.steps ??= []).push(step);
    byId.set(id, above.depth === MAX_DEPTH ? above : { step, depth: above.depth + 1 });
  }
  return root.steps;
}
