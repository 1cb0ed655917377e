// The rows of EXPLAIN QUERY PLAN.
import type Database from "better-sqlite3";

export interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Without bound parameters: the plan depends only on the statement. */
export const planRowsOf = (db: Database.Database, sql: string): PlanRow[] =>
  (db as unknown as { explain(sql: string): PlanRow[] }).explain(`QUERY PLAN ${sql}`); // the package's types do not declare this method
