// How SQLite would run a statement, and which index would help: each suggestion was tried on an empty copy of the schema.
import Database from "better-sqlite3";
import type { PlanAsked, PlanStep, PlanTold } from "../protocol/requests.ts";
import { isMark, isReading, isWord, statementOf, type Statement } from "../sql/statement.ts";
import type { Token } from "../sql/tokens.ts";
import { boundTo } from "../sql/parameters.ts";
import type { Engine } from "../engine/engine.ts";
import { tablesOf } from "../schema/table-list.ts";
import { columnNamesOf, quoted } from "../schema/schema-pragmas.ts";
import { vetWrite, withoutExplain } from "../policy/statement-policy.ts";

interface Row {
  id: number;
  parent: number;
  detail: string;
}

/** Columns that are tried, and things of a schema that are copied: at most so many. */
const MOST_TRIED = 12;
const MOST_COPIED = 500;
/** Steps of a plan that are told. Views upon views make plans of thousands, each a level deeper than the one before. */
const MOST_STEPS = 1000;
const DEEPEST = 30;

export function plan(engine: Engine, { sql, params }: PlanAsked): PlanTold {
  const { db } = engine;
  const given = statementOf(sql);
  const inner = given.explain ? withoutExplain(given) : sql;
  const { statement } = engine.vetted(inner, isReading(statementOf(inner)) ? "read" : "write");
  if (params !== undefined) boundTo(statement, params);
  const rows = planOf(db, statement.sql);
  const told = rows.slice(0, MOST_STEPS);
  const details = told.map(({ detail }) => detail);
  const fullScans = details.flatMap((detail) =>
    /^SCAN (?!CONSTANT)/.test(detail) && !/ USING | VIRTUAL TABLE/.test(detail) ? [detail.slice(5)] : [],
  );
  const scans = fullScans.map((scan) => scan.replace(/ LEFT-JOIN$/, "")).filter((name) => !name.startsWith("("));
  const names = db.prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'index'").pluck().all();
  return {
    plan: treeOf(told),
    ...(rows.length > told.length && { truncated: true }),
    fullScans,
    tempBTrees: details.filter((detail) => detail.startsWith("USE TEMP B-TREE")),
    indexes: [...new Set(details.flatMap((detail) => indexIn(detail, names) ?? []))],
    suggestions: scans.length === 0 ? [] : suggestions(db, statement, scans),
  };
}

/** The index that a step uses: a plan has names as they are, with blanks and all. */
function indexIn(detail: string, names: readonly string[]): string | undefined {
  const behind = / USING (?:COVERING )?INDEX (.+)$/s.exec(detail)?.[1];
  if (behind === undefined) return undefined;
  const fitting = names.filter((name) => behind === name || behind.startsWith(`${name} `));
  return fitting.toSorted((one, other) => other.length - one.length)[0] ?? behind.split(" ")[0];
}

const planOf = (db: Database.Database, sql: string): Row[] =>
  // Parameters are not bound: what a plan depends on is the statement.
  (db as unknown as { explain(sql: string): Row[] }).explain(`QUERY PLAN ${sql}`); // a method that the types do not know

interface Step {
  detail: string;
  steps?: Step[];
}

/** A step comes before those below it. What lies deeper than is told stands beside what it would stand below. */
function treeOf(rows: readonly Row[]): readonly PlanStep[] {
  const top: Step & { steps: Step[] } = { detail: "", steps: [] };
  const places = new Map<number, { step: Step; depth: number }>([[0, { step: top, depth: 0 }]]);
  for (const { id, parent, detail } of rows) {
    const above = places.get(parent) ?? { step: top, depth: 0 };
    const step = { detail };
    (above.step.steps ??= []).push(step);
    places.set(id, above.depth === DEEPEST ? above : { step, depth: above.depth + 1 });
  }
  return top.steps;
}

function suggestions(db: Database.Database, statement: Statement, scanned: readonly string[]): PlanTold["suggestions"] {
  const copy = new Database(":memory:");
  try {
    copySchema(db, copy);
    const before = planOf(copy, statement.sql);
    const found: PlanTold["suggestions"][number][] = [];
    for (const { table, column } of candidates(copy, statement, scanned)) {
      const name = `tried_${found.length}`;
      copy.exec(`CREATE INDEX ${quoted(name)} ON ${quoted(table)} (${quoted(column)})`);
      const after = planOf(copy, statement.sql);
      const helps = after.find(({ detail }) => detail.includes(` INDEX ${name} `) || detail.endsWith(` INDEX ${name}`));
      copy.exec(`DROP INDEX ${quoted(name)}`);
      if (helps === undefined || JSON.stringify(after) === JSON.stringify(before)) continue;
      const index = `${table}_${column}`.replaceAll(/\W/g, "_");
      found.push({
        sql: `CREATE INDEX ${quoted(index)} ON ${quoted(table)} (${quoted(column)})`,
        step: helps.detail.replaceAll(name, index),
      });
      if (found.length === 3) break;
    }
    return found;
  } catch {
    // A schema that cannot be copied, as of a module that is not here, gives no advice.
    return [];
  } finally {
    copy.close();
  }
}

/** The schema and its statistics without the data, in memory. */
function copySchema(db: Database.Database, copy: Database.Database): void {
  const shadows = new Set(tablesOf(db).flatMap(({ name, type }) => (type === "shadow" ? [name] : [])));
  const all = db
    .prepare<[number], { name: string; sql: string }>(
      "SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type <> 'trigger' ORDER BY type = 'index', type = 'view', rowid LIMIT ?",
    )
    .all(MOST_COPIED)
    .flatMap(({ name, sql }) => (shadows.has(name) ? [] : [sql]));
  // Looked at like any other statement: a file may hold anything.
  for (const sql of all) vetWrite(copy, sql).prepared.run();
  const stats = db.prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE name = 'sqlite_stat1'").pluck().get();
  if (stats === undefined) return;
  copy.exec("ANALYZE"); // makes the table
  const put = copy.prepare("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)");
  copy.exec("DELETE FROM sqlite_stat1");
  for (const row of db.prepare("SELECT tbl, idx, stat FROM sqlite_stat1 LIMIT 5000").raw().all() as unknown[][]) put.run(...row);
  copy.exec("ANALYZE sqlite_schema");
}

/** Columns of the scanned tables that the statement compares or sorts by. */
function candidates(db: Database.Database, { tokens }: Statement, scanned: readonly string[]): { table: string; column: string }[] {
  const tables = tablesOf(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const aliased = scanned.flatMap(
    (name) => tables.find((table) => table.toLowerCase() === name.toLowerCase()) ?? tableOf(tokens, name, tables) ?? [],
  );
  const compared = new Set(tokens.flatMap((token, index) => (isCompared(tokens, index) ? [token.value.toLowerCase()] : [])));
  return [...new Set(aliased)]
    .flatMap((table) => columnNamesOf(db, table).map((column) => ({ table, column })))
    .filter(({ column }) => compared.has(column.toLowerCase()))
    .slice(0, MOST_TRIED);
}

/** The table that an alias stands for: `orders AS o`, `orders o`. */
function tableOf(tokens: readonly Token[], alias: string, tables: readonly string[]): string | undefined {
  const at = tokens.findIndex(({ value }, index) => index > 0 && value.toLowerCase() === alias.toLowerCase());
  const before = tokens[at - (isWord(tokens[at - 1], "AS") ? 2 : 1)];
  return tables.find((table) => table.toLowerCase() === before?.value.toLowerCase());
}

const COMPARING = new Set(["=", "<", ">", "IN", "BETWEEN", "LIKE", "GLOB", "IS"]);

function isCompared(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return false;
  const near = [tokens[index + 1], tokens[index - 1], isMark(tokens[index - 1], ".") ? tokens[index - 3] : undefined];
  if (near.some((one) => one !== undefined && COMPARING.has(one.value.toUpperCase()))) return true;
  const by = tokens.findLastIndex((one, at) => at < index && isWord(one, "BY"));
  return by !== -1 && !tokens.slice(by, index).some((one) => isMark(one, ")") || isWord(one, "LIMIT"));
}
