// Indexes that would help a statement: each is tried on an empty copy of the schema in memory.
import Database from "better-sqlite3";
import { allowWrite } from "../policy/statement-policy.ts";
import type { PlanReply } from "../protocol/query-messages.ts";
import { columnNamesOf, quoteName } from "../schema/schema-pragmas.ts";
import { allTables, shadowTablesOf } from "../schema/table-list.ts";
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";
import { planRowsOf } from "./plan-rows.ts";

type Suggestion = PlanReply["suggestions"][number];

const MAX_TRIED_COLUMNS = 12;
const MAX_SUGGESTIONS = 3;
/** Tables, indexes and views that are copied. */
const MAX_COPIED = 500;

/** @param fullScans What the plan's SCAN steps name: tables, aliases, subqueries. */
export function suggestIndexes(db: Database.Database, statement: Statement, fullScans: readonly string[]): Suggestion[] {
  const scanned = fullScans.map((scan) => scan.replace(/ LEFT-JOIN$/, "")).filter((name) => !name.startsWith("("));
  if (scanned.length === 0) return [];
  const copy = new Database(":memory:");
  try {
    copySchema(db, copy);
    const suggestions: Suggestion[] = [];
    for (const candidate of candidatesFor(copy, statement, scanned)) {
      const suggestion = tryIndex(copy, statement, candidate);
      if (suggestion !== undefined && suggestions.push(suggestion) === MAX_SUGGESTIONS) break;
    }
    return suggestions;
  } catch {
    return []; // a schema that cannot be copied, such as one with a module that is not here, gives no advice
  } finally {
    copy.close();
  }
}

interface Candidate {
  readonly table: string;
  readonly column: string;
}

const TRIED_INDEX = "tried_index";

function tryIndex(copy: Database.Database, statement: Statement, { table, column }: Candidate): Suggestion | undefined {
  const before = planRowsOf(copy, statement.sql);
  const on = `ON ${quoteName(table)} (${quoteName(column)})`;
  copy.exec(`CREATE INDEX ${TRIED_INDEX} ${on}`);
  const after = planRowsOf(copy, statement.sql);
  copy.exec(`DROP INDEX ${TRIED_INDEX}`);
  const step = after.find(({ detail }) => detail.includes(` INDEX ${TRIED_INDEX} `) || detail.endsWith(` INDEX ${TRIED_INDEX}`));
  if (step === undefined || JSON.stringify(after) === JSON.stringify(before)) return undefined;
  const name = `${table}_${column}`.replaceAll(/\W/g, "_");
  return { sql: `CREATE INDEX ${quoteName(name)} ${on}`, step: step.detail.replaceAll(TRIED_INDEX, name) };
}

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

/** Columns of the scanned tables that the statement compares or sorts by. */
function candidatesFor(db: Database.Database, { tokens }: Statement, scanned: readonly string[]): Candidate[] {
  const tables = allTables(db).flatMap(({ name, type }) => (type === "table" ? [name] : []));
  const scannedTables = scanned.flatMap((name) => sameName(tables, name) ?? tableOfAlias(tokens, name, tables) ?? []);
  const compared = new Set(tokens.flatMap((token, index) => (isCompared(tokens, index) ? [token.value.toLowerCase()] : [])));
  return [...new Set(scannedTables)]
    .flatMap((table) => columnNamesOf(db, table).map((column) => ({ table, column })))
    .filter(({ column }) => compared.has(column.toLowerCase()))
    .slice(0, MAX_TRIED_COLUMNS);
}

const sameName = (tables: readonly string[], name: string | undefined): string | undefined =>
  tables.find((table) => table.toLowerCase() === name?.toLowerCase());

/** The table of an alias: `orders AS o`, `orders o`. */
function tableOfAlias(tokens: readonly Token[], alias: string, tables: readonly string[]): string | undefined {
  const before = tokens.flatMap(({ value }, index) =>
    value.toLowerCase() === alias.toLowerCase() ? [tokens[index - (isWord(tokens[index - 1], "AS") ? 2 : 1)]?.value] : [],
  );
  return before.flatMap((name) => sameName(tables, name) ?? [])[0];
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<", ">", "IN", "BETWEEN", "LIKE", "GLOB", "IS"]);

function isCompared(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return false;
  const beforeQualifier = isSymbol(tokens[index - 1], ".") ? tokens[index - 3] : undefined;
  const neighbours = [tokens[index + 1], tokens[index - 1], beforeQualifier];
  if (neighbours.some((one) => one !== undefined && COMPARISONS.has(one.value.toUpperCase()))) return true;
  const by = tokens.findLastIndex((one, at) => at < index && isWord(one, "BY"));
  return by !== -1 && !tokens.slice(by, index).some((one) => isSymbol(one, ")") || isWord(one, "LIMIT"));
}
