// Comparisons of a plain column with one value in a statement, with the table that has the column.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import { columnsOf, quoteName } from "../../schema/schema-pragmas.ts";
import { tableNamed } from "../../schema/table-list.ts";
import type { Params } from "../../sql/parameters.ts";
import type { Statement } from "../../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../../sql/tokens.ts";
import { namedTables } from "../named-tables.ts";

export interface TableColumn {
  readonly table: string;
  readonly column: string;
  /** As declared. */
  readonly type: string;
}

/** The first rows of a table, whose column is `v`. */
export const firstRows = ({ table, column }: TableColumn, rows: number): string =>
  `FROM (SELECT ${quoteName(column)} AS v FROM main.${quoteName(table)} LIMIT ${rows})`;

export const isNumeric = (value: string | number): boolean => typeof value === "number" || /^\d+(?:\.\d+)?$/.test(value);

/** A value as SQL has it, shortened. */
export const literal = (value: string | number | null): string =>
  typeof value === "string" ? `'${clip(value, 60).replaceAll("'", "''")}'` : value === null ? "NULL" : String(value);

export interface Comparison extends TableColumn {
  readonly operator: "=" | "<" | "<=" | ">" | ">=";
  readonly value: string | number;
}

/** What may stand before a condition, and behind it. */
const BEFORE: ReadonlySet<string> = new Set(["WHERE", "AND", "OR", "ON", "HAVING", "("]);
const AFTER: ReadonlySet<string> = new Set(["AND", "OR", "GROUP", "ORDER", "LIMIT", "HAVING", "UNION", "JOIN", "LEFT", "INNER", ")", ";"]);

export function comparisonsIn(db: Database.Database, statement: Statement, params: Params | undefined): Comparison[] {
  const { tokens } = statement;
  return tokens.flatMap((_, index) => {
    const bounds = boundsAt(tokens, index);
    const last = bounds.at(-1);
    if (last === undefined) return [];
    const next = tokens[last.at + 1];
    const start = isSymbol(tokens[index - 2], ".") ? index - 3 : index - 1;
    if (next !== undefined && !AFTER.has(next.value.toUpperCase())) return [];
    if (!BEFORE.has(tokens[start - 1]?.value.toUpperCase() ?? "")) return [];
    const values = bounds.map(({ at }) => valueOf(tokens[at], tokens, params));
    if (values.every((value) => value === undefined)) return [];
    const column = columnAt(db, statement, index - 1);
    if (column === undefined) return [];
    return bounds.flatMap(({ operator }, at) => {
      const value = values[at];
      return value === undefined ? [] : [{ ...column, operator, value }];
    });
  });
}

interface Bound {
  readonly operator: Comparison["operator"];
  /** The index of the value. */
  readonly at: number;
}

function boundsAt(tokens: readonly Token[], index: number): Bound[] {
  if (isWord(tokens[index], "BETWEEN"))
    return isWord(tokens[index + 2], "AND")
      ? [
          { operator: ">=", at: index + 1 },
          { operator: "<=", at: index + 3 },
        ]
      : [];
  const operator = operatorAt(tokens, index);
  return operator === undefined ? [] : [{ operator: operator === "==" ? "=" : operator, at: index + operator.length }];
}

/** Columns by the index of their token. A statement is read anew where the schema changes. */
const found = new WeakMap<Statement, Map<number, TableColumn | undefined>>();

/** The column of a table that a token names, where no part of the statement gives its name to something else. */
export function columnAt(db: Database.Database, statement: Statement, index: number): TableColumn | undefined {
  const known = found.get(statement) ?? new Map<number, TableColumn | undefined>();
  found.set(statement, known);
  if (!known.has(index)) known.set(index, findColumn(db, statement.tokens, index));
  return known.get(index);
}

function findColumn(db: Database.Database, tokens: readonly Token[], index: number): TableColumn | undefined {
  const token = tokens[index];
  if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return undefined;
  const name = token.value.toLowerCase();
  const isNewName = tokens.some(
    (one, at) =>
      one.value.toLowerCase() === name && (isWord(tokens[at - 1], "AS") || isWord(tokens[at - 1], "END") || isSymbol(tokens[at - 1], ")")),
  );
  if (isNewName) return undefined;
  const alias = isSymbol(tokens[index - 1], ".") ? tokens[index - 2]?.value.toLowerCase() : undefined;
  const having = namedTables(tokens, db)
    .filter((one) => alias === undefined || one.alias.toLowerCase() === alias)
    .flatMap(({ table }) => {
      const column = columnsOf(db, table).find((one) => one.name.toLowerCase() === name);
      return column === undefined ? [] : [{ table, column: column.name, type: column.type }];
    });
  const [only] = having;
  return only === undefined || new Set(having.map(({ table }) => table)).size > 1 || tableNamed(db, only.table)?.type !== "table"
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
