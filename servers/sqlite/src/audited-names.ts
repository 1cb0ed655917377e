// What a call changes, for a line of the audit file: its database, and the tables that its statements name as their target.
import type { DatabaseSpec } from "./db/database.ts";
import { namedTarget } from "./db/policy/touched-tables.ts";
import { parseStatement } from "./db/sql/statement.ts";

/** The tools that change a database. */
const CHANGING: ReadonlySet<string> = new Set(["write_query", "create_table", "run_transaction", "import_csv"]);
/** As many as a transaction may have. The line counts the names that it leaves out. */
const MAX_STATEMENTS = 500;
/** Only the beginning is parsed, because an audit line must not make a call slower: the target stands there. */
const MAX_PARSED_LENGTH = 10_000;

/** Takes the arguments as the client sent them, so they may be anything. What a call has changed, its database process reports. */
export function auditedNames(databases: readonly Pick<DatabaseSpec, "name">[]): (tool: string, args: unknown) => string[] {
  return (tool, args) => {
    if (!CHANGING.has(tool)) return [];
    const { database, query, statements } = memberOf(args);
    const [only, other] = databases;
    const served = other === undefined ? only?.name : undefined;
    const queries = Array.isArray(statements) ? statements.slice(0, MAX_STATEMENTS).map((one) => memberOf(one)["query"]) : [query];
    return [typeof database === "string" ? database : served, ...queries.map(targetOf)].filter((name) => name !== undefined);
  };
}

function targetOf(query: unknown): string | undefined {
  if (typeof query !== "string") return undefined;
  try {
    const name = namedTarget(parseStatement(query.slice(0, MAX_PARSED_LENGTH)));
    return name === "" ? undefined : name;
  } catch {
    return undefined; // refused, or not SQL
  }
}

const memberOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}; // as tested
