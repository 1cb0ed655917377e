// Public sets of questions with their queries, which are not part of the repository. OARLOCK_GOLD_QUERIES names folders, such as checkouts
// of defog-ai/sql-eval and defog-ai/defog-data (Apache-2.0), with `:` between them: tables with the columns `db_name` and `query`, and
// NAME.sql, NAME.sqlite or NAME.db for each database. A query for another database fails in SQLite and here.
import { copyFileSync, globSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { basename, delimiter, extname, join } from "node:path";
import { parse } from "csv-parse/sync";

export interface GoldSet {
  readonly name: string;
  readonly queries: readonly string[];
  /** Writes the database to a new file. */
  create(file: string): void;
}

export function publicSets(folders = process.env["OARLOCK_GOLD_QUERIES"] ?? ""): GoldSet[] {
  const roots = folders.split(delimiter).filter((folder) => folder !== "");
  const filesLike = (pattern: string): string[] =>
    roots.flatMap((root) => globSync(pattern, { cwd: root }).map((file) => join(root, file)));
  const databases = new Map(filesLike("**/*.{sql,sqlite,db}").map((file) => [basename(file, extname(file)), file]));
  const queries = filesLike("**/*.csv").flatMap(queriesIn);
  return [...Map.groupBy(queries, ({ database }) => database)].flatMap(([name, ofDatabase]) => {
    const source = databases.get(name);
    if (source === undefined) return [];
    return [{ name, queries: [...new Set(ofDatabase.map(({ query }) => query))], create: (file) => create(source, file) }];
  });
}

function queriesIn(file: string): { database: string; query: string }[] {
  const records: Record<string, string>[] = parse(readFileSync(file), { columns: true, relax_column_count: true, relax_quotes: true });
  return records.flatMap(({ db_name: database = "", query = "" }) => statementsOf(query).map((one) => ({ database, query: one })));
}

/** A cell may hold several queries that are all right. */
const statementsOf = (cell: string): string[] =>
  cell
    .split(/;(?=(?:[^']*'[^']*')*[^']*$)/)
    .map((one) => one.trim())
    .filter((one) => one !== "");

function create(source: string, file: string): void {
  if (extname(source) !== ".sql") return copyFileSync(source, file);
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  // Dumps of Postgres have casts, schemas, sequences and intervals, and statements that SQLite does not know: those are left out.
  const dump = readFileSync(source, "utf8")
    .replaceAll(/\b(?:public|consumer_div)\.|::[a-z]+(?: [a-z]+)*|DEFAULT \w+\([^)]*\)/gi, "")
    .replaceAll(/\b(?:CURRENT_DATE|CURRENT_TIMESTAMP|NOW\(\)) ([-+]) INTERVAL '(\d+) (\w+)'/gi, "date('2024-06-15', '$1$2 $3')");
  db.exec("BEGIN");
  for (const statement of dump.split(/;[ \t]*(?:--.*)?$/m)) {
    try {
      db.exec(statement);
    } catch {
      continue;
    }
  }
  db.exec("COMMIT");
}
