// Expressions of a statement that an index may hold: calls such as lower(email), values in JSON (data ->> '$.name'), and columns with the
// collation by which the statement compares them.
import { endOfBrackets, isSymbol, isWord, quoteName, type Token } from "../sql/tokens.ts";

/** Each is tried with and without the columns that the statement compares. */
const MAX_EXPRESSIONS = 6;
/** Letters of a text that the name of an index takes. */
const MAX_WORD = 20;

export interface IndexedColumn {
  readonly name: string;
  readonly isDescending: boolean;
  /** In place of the column, which then gives only its name to the index. */
  readonly expression?: string;
}

interface StatementTable {
  readonly columns: readonly string[];
  /** What the statement calls it. */
  readonly name: string;
  /** Those of SQLite, in lower case. */
  readonly functions: ReadonlySet<string>;
}

export function expressionsOf(tokens: readonly Token[], sql: string, table: StatementTable): IndexedColumn[] {
  const found: IndexedColumn[] = [];
  for (let index = 0; index < tokens.length && found.length < MAX_EXPRESSIONS; index += 1) {
    const end = endOfCall(tokens, index, table.functions) ?? endOfJsonPath(tokens, index);
    const expression = end === undefined ? undefined : expressionOf(tokens.slice(index, end), tokens[0]?.start ?? 0, sql, table);
    if (expression !== undefined) found.push(expression);
    else found.push(...withCollation(tokens, index, table));
    if (end !== undefined) index = end - 1;
  }
  return found;
}

/** The index after the brackets of a function. */
function endOfCall(tokens: readonly Token[], index: number, functions: ReadonlySet<string>): number | undefined {
  const token = tokens[index];
  if (token?.kind !== "word") return undefined;
  // An index may hold a CAST too.
  if (!functions.has(token.value.toLowerCase()) && !isWord(token, "CAST")) return undefined;
  return endOfBrackets(tokens, index + 1);
}

/** The index after `data -> '$.name'` or `data ->> '$.name'`, perhaps with a table before it. */
function endOfJsonPath(tokens: readonly Token[], index: number): number | undefined {
  const column = isSymbol(tokens[index + 1], ".") ? index + 2 : index;
  if (!isSymbol(tokens[column + 1], "-") || !isSymbol(tokens[column + 2], ">")) return undefined;
  const path = isSymbol(tokens[column + 3], ">") ? column + 4 : column + 3;
  return tokens[path]?.kind === "text" ? path + 1 : undefined;
}

/** Undefined where it has a parameter, a query, a column of another table, or none. */
function expressionOf(part: readonly Token[], offset: number, sql: string, { columns, name }: StatementTable): IndexedColumn | undefined {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  const words: string[] = [];
  let [text, hasColumn] = ["", false];
  for (let index = 0; index < part.length; index += 1) {
    const token = part[index];
    if (token === undefined || token.kind === "variable" || isWord(token, "SELECT") || isWord(token, "OVER")) return undefined;
    if (isSymbol(part[index + 1], ".")) {
      if (token.value.toLowerCase() !== name.toLowerCase()) return undefined;
      index += 1; // an index knows no other name of its table
      continue;
    }
    const isColumn: boolean = token.kind !== "text" && known.has(token.value.toLowerCase());
    hasColumn ||= isColumn;
    const word = token.kind === "text" ? token.value.replaceAll(/\W/g, "").slice(0, MAX_WORD) : token.value;
    if (isColumn || index === 0 || (token.kind === "text" && word !== "")) words.push(word);
    const end = part[index + 1]?.start ?? token.end;
    text += sql.slice(token.start - offset, end - offset).replaceAll(/\s+$/g, " ");
  }
  return hasColumn ? { name: [...new Set(words)].join("_"), isDescending: false, expression: text.trim() } : undefined;
}

/** A column that the statement compares by LIKE, which ignores letter case, or by a collation that it names. */
function withCollation(tokens: readonly Token[], index: number, { columns }: StatementTable): IndexedColumn[] {
  const token = tokens[index];
  const column = columns.find((one) => token?.kind !== "text" && one.toLowerCase() === token?.value.toLowerCase());
  if (column === undefined) return [];
  const after = tokens.slice(index + 1, index + 6);
  const collate = after.findIndex((one) => isWord(one, "COLLATE"));
  // `name COLLATE NOCASE = ?`, `name = ? COLLATE NOCASE`
  const isNear = collate === 0 || (collate >= 2 && /^[=<>]$/.test(after[0]?.value ?? ""));
  const collation = isNear ? after[collate + 1]?.value : isWord(after[0], "LIKE") ? "NOCASE" : undefined;
  if (collation === undefined) return [];
  const named = `${quoteName(column)} COLLATE ${/^\w+$/.test(collation) ? collation.toUpperCase() : quoteName(collation)}`;
  return [{ name: `${column}_${collation.toLowerCase()}`, isDescending: false, expression: named }];
}
