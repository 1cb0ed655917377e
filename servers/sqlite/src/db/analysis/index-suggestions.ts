// Indexes that help a statement: each is tried on an empty copy of the schema with its statistics, alone and with others. Where the data is
// small enough for a copy in memory, those are proposed that save time there; elsewhere those of which the plan uses all columns.
import Database from "better-sqlite3";
import { allowWrite } from "../policy/statement-policy.ts";
import type { PlanReply } from "../protocol/query-messages.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { shadowTablesOf } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { candidatesFor, type Candidate, type IsFrequent } from "./index-candidates.ts";
import { fastestOf } from "./measured-indexes.ts";
import { planRowsOf } from "./plan-rows.ts";

type Suggestion = PlanReply["suggestions"][number];

const MAX_TRIED = 40;
const MAX_SUGGESTIONS = 3;
/** Single indexes that are measured. */
const MAX_SINGLES = 5;
const MAX_TRY_MS = 2000;
/** Tables, indexes and views that are copied. */
const MAX_COPIED = 500;

interface TriedSet {
  readonly indexes: readonly TriedIndex[];
  /** With all of them. */
  readonly plan: readonly string[];
}

/**
 * @param maxMs After this time no further index is tried: plans of views upon views take long.
 * @param values Those bound to the statement; undefined where it has parameters without values.
 */
export function suggestIndexes(
  db: Database.Database,
  statement: Statement,
  maxMs = MAX_TRY_MS,
  values: readonly unknown[] | undefined = statement.variables.length === 0 ? [] : undefined,
): Suggestion[] {
  const until = performance.now() + maxMs;
  const copy = new Database(":memory:");
  try {
    copySchema(db, copy);
    const rows = planRowsOf(copy, statement.sql);
    const before = rows.map(({ detail }) => detail);
    const isFrequent = frequencyIn(db);
    const planned = oneAfterTheOther(copy, statement, candidatesFor(copy, statement, rows, isFrequent), { before, until });
    const all = candidatesFor(copy, statement, rows, isFrequent, true);
    const sets = [planned, ...combinedSets(copy, statement, all, until)].filter(({ indexes }) => indexes.length > 0);
    const fastest = fastestOf(db, statement, values, distinctSets(sets), until);
    const { indexes, plan } = fastest === undefined ? planned : fastest === "none" ? { indexes: [], plan: before } : fastest;
    return indexes.flatMap(({ name, sql }) => {
      const step = plan.find((detail) => uses(detail, name));
      return step === undefined ? [] : [{ sql, step, before: before.filter((detail) => !plan.includes(detail)), after: [...plan] }];
    });
  } catch {
    return []; // a schema that cannot be copied, such as one with a module that is not here, gives no advice
  } finally {
    copy.close();
  }
}

interface Trial {
  /** The plan without further indexes. */
  readonly before: readonly string[];
  readonly until: number;
}

/** Keeps each index that changes the plan for the better, beside those kept before it. */
function oneAfterTheOther(
  copy: Database.Database,
  statement: Statement,
  candidates: readonly Candidate[],
  { before, until }: Trial,
): TriedSet {
  let plan = before;
  const kept: TriedIndex[] = [];
  for (const candidate of candidates.slice(0, MAX_TRIED)) {
    if (kept.length === MAX_SUGGESTIONS || performance.now() > until) break;
    const index = tryIndex(copy, statement, candidate, plan);
    if (index === undefined) continue;
    kept.push(index);
    plan = index.plan;
  }
  for (const { name } of kept) copy.exec(`DROP INDEX ${quoteName(name)}`);
  // One that a later index has made useless is left out.
  return { indexes: kept.filter(({ name }) => plan.some((detail) => uses(detail, name))), plan };
}

/** The indexes that SQLite takes when it may choose among all, and each single one that it takes. */
function combinedSets(copy: Database.Database, statement: Statement, candidates: readonly Candidate[], until: number): TriedSet[] {
  const planNow = (): string[] => planRowsOf(copy, statement.sql).map(({ detail }) => detail);
  const created = candidates.slice(0, MAX_TRIED).flatMap((candidate) => createIndex(copy, candidate) ?? []);
  const chosenPlan = planNow();
  const chosen = created.filter(({ name }) => chosenPlan.some((detail) => uses(detail, name)));
  for (const { name } of created) copy.exec(`DROP INDEX ${quoteName(name)}`);
  const withOnly = (indexes: typeof created): TriedSet => {
    for (const { sql } of indexes) copy.exec(sql);
    const plan = planNow();
    for (const { name } of indexes) copy.exec(`DROP INDEX ${quoteName(name)}`);
    return { indexes: indexes.map((index) => ({ ...index, plan })), plan };
  };
  const singles = created.flatMap((index) => (performance.now() > until ? [] : [withOnly([index])]));
  const used = singles.filter(({ indexes: [index], plan }) => plan.some((detail) => uses(detail, index?.name ?? "")));
  return [...(chosen.length > 1 && chosen.length <= MAX_SUGGESTIONS ? [withOnly(chosen)] : []), ...used.slice(0, MAX_SINGLES)];
}

const distinctSets = (sets: readonly TriedSet[]): TriedSet[] => [
  ...new Map(sets.map((set) => [set.indexes.map(({ name }) => name).join("\n"), set])).values(),
];

/** Rows whose values are looked at. */
const SAMPLED = 1000;

/** Whether so many of the first rows have a value, or one beyond it: an index finds their places in the table one by one. */
const frequencyIn =
  (db: Database.Database): IsFrequent =>
  (table, column, value, sign) =>
    db
      .prepare(
        `SELECT avg(value ${sign ?? "IS"} ?) > 0.5 FROM (SELECT ${quoteName(column)} AS value FROM main.${quoteName(table)} LIMIT ${SAMPLED})`,
      )
      .pluck()
      .get(value) === 1;

interface TriedIndex {
  readonly name: string;
  readonly sql: string;
  /** With the index. */
  readonly plan: string[];
}

/** Undefined where the name is taken, or the expression cannot be indexed. */
function createIndex(copy: Database.Database, { table, columns }: Candidate): Pick<TriedIndex, "name" | "sql"> | undefined {
  const name = [table, ...columns.map((column) => column.name)].join("_").replaceAll(/\W/g, "_");
  const list = columns.map(
    ({ expression, name: column, isDescending }) => `${expression ?? quoteName(column)}${isDescending ? " DESC" : ""}`,
  );
  const sql = `CREATE INDEX ${quoteName(name)} ON ${quoteName(table)} (${list.join(", ")})`;
  try {
    allowWrite(copy, sql).prepared.run();
    return { name, sql };
  } catch {
    return undefined;
  }
}

/** Keeps the index in the copy where it helps, so that further ones are tried beside it. */
function tryIndex(copy: Database.Database, statement: Statement, candidate: Candidate, before: readonly string[]): TriedIndex | undefined {
  const index = createIndex(copy, candidate);
  if (index === undefined) return undefined;
  const plan = planRowsOf(copy, statement.sql).map(({ detail }) => detail);
  if (helps(before, plan, index.name, candidate.columns.length)) return { ...index, plan };
  copy.exec(`DROP INDEX ${quoteName(index.name)}`);
  return undefined;
}

/** The plan searches by all columns of the index, or by the first ones and reads the rest in order instead of sorting. */
function helps(before: readonly string[], after: readonly string[], name: string, columns: number): boolean {
  const step = after.find((detail) => uses(detail, name));
  if (step === undefined) return false;
  const searched = new Set(
    [...(/\((.*)\)$/s.exec(withoutJoin(step))?.[1] ?? "").matchAll(/(?:^|AND )(.+?)[=<>]/g)].map(([, column]) => column),
  ).size;
  return (step.startsWith("SEARCH") && searched === columns) || sorts(after) < sorts(before);
}

const sorts = (plan: readonly string[]): number => plan.filter((detail) => detail.startsWith("USE TEMP B-TREE")).length;

const uses = (detail: string, index: string): boolean =>
  detail.includes(` INDEX ${index} (`) || withoutJoin(detail).endsWith(` INDEX ${index}`);

/** A step without its mark of an outer join, which stands at the end. */
const withoutJoin = (detail: string): string => detail.replace(/ LEFT-JOIN$/, "");

/** Copies the schema and its statistics without the data. */
function copySchema(db: Database.Database, copy: Database.Database): void {
  const shadows = shadowTablesOf(db);
  const statements = db
    .prepare<[number], { name: string; sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type <> 'trigger' ORDER BY type = 'index', type = 'view', rowid LIMIT ?",
    )
    .all(MAX_COPIED)
    .flatMap(({ name, sql }) => (shadows.has(name.toLowerCase()) ? [] : [sql]));
  // Checked like every other statement: a file may contain anything.
  for (const sql of statements) allowWrite(copy, sql).prepared.run();
  const hasStatistics = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;
  if (!hasStatistics) return;
  copy.exec("ANALYZE; DELETE FROM sqlite_stat1"); // ANALYZE creates the table
  const insert = copy.prepare("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)");
  for (const row of db.prepare("SELECT tbl, idx, stat FROM sqlite_stat1 LIMIT 5000").raw().all() as unknown[][]) insert.run(...row);
  copy.exec("ANALYZE sqlite_schema"); // loads the statistics
}
