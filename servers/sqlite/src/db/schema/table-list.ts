// Which tables and views there are, by the statements that made them. `PRAGMA table_list` would tell too, but it compiles every view
// for that, and one that fails as often as there are tables: views upon views keep it busy for hours.
import type Database from "better-sqlite3";
import { isMark, isWord } from "../sql/statement.ts";
import { tokensOf } from "../sql/tokens.ts";

export interface Listed {
  readonly name: string;
  readonly type: "table" | "view" | "virtual" | "shadow";
  readonly wr: number;
  readonly strict: number;
}

const RTREE = ["node", "parent", "rowid"];
const FTS3 = ["content", "docsize", "segdir", "segments", "stat"];
/** What the tables that serve a virtual one are called behind its name: `xShadowName` of each module. */
const SHADOWS: ReadonlyMap<string, readonly string[]> = new Map([
  ["fts3", FTS3],
  ["fts4", FTS3],
  ["fts5", ["config", "content", "data", "docsize", "idx"]],
  ["rtree", RTREE],
  ["rtree_i32", RTREE],
  ["geopoly", RTREE],
]);

interface Made {
  readonly name: string;
  readonly type: "table" | "view";
  readonly sql: string;
}

/** Statements may be long and many: only those come that say more than that there is a table. */
const MADE = `SELECT name, type, CASE WHEN type = 'table' AND (sql LIKE 'CREATE%VIRTUAL%' OR sql LIKE '%ROWID%' OR sql LIKE '%STRICT%')
  THEN sql ELSE '' END AS sql FROM main.sqlite_schema WHERE type IN ('table', 'view')`;

/** In the order of JavaScript, as cursors are compared there. */
export function tablesOf(db: Database.Database): Listed[] {
  const made = db.prepare<[], Made>(MADE).all();
  const shadows = shadowsIn(made);
  const listed = made.map(({ name, type, sql }): Listed => {
    if (type === "view") return { name, type, wr: 0, strict: 0 };
    if (isVirtual(sql)) return { name, type: "virtual", wr: 0, strict: 0 };
    return { name, type: shadows.has(name.toLowerCase()) ? "shadow" : "table", ...optionsOf(sql) };
  });
  listed.push({ name: "sqlite_schema", type: "table", wr: 0, strict: 0 });
  return listed.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What stands between the words is SQLite's own blank, unless somebody wrote into the file. */
const isVirtual = (sql: string): boolean => /^CREATE[^(]{1,200}TABLE/i.test(sql) && isWord(tokensOf(sql.slice(0, 300))[1], "VIRTUAL");

/** In small letters. */
function shadowsIn(made: readonly Made[]): ReadonlySet<string> {
  const shadows = new Set<string>();
  for (const { name, sql } of made) {
    if (!isVirtual(sql)) continue;
    for (const suffix of SHADOWS.get(moduleIn(sql)) ?? []) shadows.add(`${name}_${suffix}`.toLowerCase());
  }
  return shadows;
}

/** `CREATE VIRTUAL TABLE name USING module`, in small letters. */
export function moduleIn(sql: string): string {
  const tokens = tokensOf(sql);
  const using = tokens.findIndex((token, index) => index > 3 && isWord(token, "USING"));
  return (tokens[using + 1]?.value ?? "").toLowerCase();
}

/** What stands behind the columns. */
function optionsOf(sql: string): Pick<Listed, "wr" | "strict"> {
  if (!/ROWID|STRICT/i.test(sql)) return { wr: 0, strict: 0 };
  const tokens = tokensOf(sql);
  const options = tokens.slice(tokens.findLastIndex((token) => isMark(token, ")")) + 1);
  const has = (word: string): number => Number(options.some((token) => isWord(token, word)));
  return { wr: has("ROWID"), strict: has("STRICT") };
}
