// Comparisons of a plain column with one value in a statement, with the table that has the column.
import type Database from "better-sqlite3";
import { columnsOf } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import type { Params } from "../sql/parameters.ts";
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";
import { namedTables, type NamedTable } from "./named-tables.ts";

export interface TableColumn {
  readonly table: string;
  readonly column: string;
  /** As declared. */
  readonly type: string;
}

export interface Comparison extends TableColumn {
  readonly operator: "=" | "<" | "<=" | ">" | ">=";
  readonly value: string | number;
}

/** What may stand before a condition, and behind it. */
const BEFORE: ReadonlySet<string> = new Set(["WHERE", "AND", "OR", "ON", "HAVING", "("]);
const AFTER: ReadonlySet<string> = new Set(["AND", "OR", "GROUP", "ORDER", "LIMIT", "HAVING", "UNION", "JOIN", "LEFT", "INNER", ")", ";"]);

export function comparisonsIn(db: Database.Database, statement: Statement, params: Params | undefined): Comparison[] {
  const { tokens } = statement;
  let tables: readonly NamedTable[] | undefined;
  return tokens.flatMap((token, index) => {
    const operator = operatorAt(tokens, index);
    if (operator === undefined) return [];
    const end = index + operator.length;
    const value = valueOf(tokens[end], tokens, params);
    const next = tokens[end + 1];
    if (value === undefined || (next !== undefined && !AFTER.has(next.value.toUpperCase()))) return [];
    const start = isSymbol(tokens[index - 2], ".") ? index - 3 : index - 1;
    if (!BEFORE.has(tokens[start - 1]?.value.toUpperCase() ?? "")) return [];
    tables ??= namedTables(tokens, db);
    const column = columnAt(db, tokens, index - 1, tables);
    return column === undefined ? [] : [{ ...column, operator: operator === "==" ? "=" : operator, value }];
  });
}

/** The column of a table that a token names, where no part of the statement gives its name to something else. */
export function columnAt(
  db: Database.Database,
  tokens: readonly Token[],
  index: number,
  tables: readonly NamedTable[] = namedTables(tokens, db),
): TableColumn | undefined {
  const token = tokens[index];
  if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return undefined;
  const name = token.value.toLowerCase();
  const isNewName = tokens.some(
    (one, at) =>
      one.value.toLowerCase() === name && (isWord(tokens[at - 1], "AS") || isWord(tokens[at - 1], "END") || isSymbol(tokens[at - 1], ")")),
  );
  if (isNewName) return undefined;
  const alias = isSymbol(tokens[index - 1], ".") ? tokens[index - 2]?.value.toLowerCase() : undefined;
  const found = tables
    .filter((one) => alias === undefined || one.alias.toLowerCase() === alias)
    .flatMap(({ table }) => {
      const column = columnsOf(db, table).find((one) => one.name.toLowerCase() === name);
      return column === undefined ? [] : [{ table, column: column.name, type: column.type }];
    });
  const [only] = found;
  return only === undefined || new Set(found.map(({ table }) => table)).size > 1 || tableNamed(db, only.table)?.type !== "table"
    ? undefined
    : only;
}

function operatorAt(tokens: readonly Token[], index: number): "==" | Comparison["operator"] | undefined {
  const [before, sign, next] = tokens.slice(index - 1, index + 2);
  const follows = (token: Token | undefined): boolean => token?.kind === "symbol" && /[<>=!]/.test(token.value);
  if (index < 1 || sign?.kind !== "symbol" || follows(before)) return undefined;
  if (sign.value === "=") return isSymbol(next, "=") ? "==" : "=";
  if (sign.value !== "<" && sign.value !== ">") return undefined;
  if (isSymbol(next, "=")) return `${sign.value}=`;
  return follows(next) ? undefined : sign.value;
}

function valueOf(token: Token | undefined, tokens: readonly Token[], params: Params | undefined): string | number | undefined {
  if (token?.kind === "text") return token.value;
  if (token?.kind === "number" && Number.isFinite(Number(token.value))) return Number(token.value);
  if (isWord(token, "TRUE")) return 1;
  if (isWord(token, "FALSE")) return 0;
  if (token?.kind !== "variable" || params === undefined) return undefined;
  const variables = tokens.filter(({ kind }) => kind === "variable");
  const isByPosition = variables.every(({ value }) => value === "?");
  const given = Array.isArray(params)
    ? isByPosition
      ? (params as readonly unknown[])[variables.indexOf(token)]
      : undefined
    : (params as Readonly<Record<string, unknown>>)[token.value.slice(1)];
  return typeof given === "string" || typeof given === "number" ? given : undefined;
}
