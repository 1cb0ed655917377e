// A SELECT from one table whose rows can be paged by a key, split into its clauses.
import type { Statement } from "../sql/statement.ts";
import { isSymbol, isWord, type Token } from "../sql/tokens.ts";

export interface SimpleSelect {
  /** The text between SELECT and FROM. */
  readonly columns: string;
  readonly table: string;
  /** The table with its alias, as written. */
  readonly source: string;
  /** The alias, or the name of the table. */
  readonly qualifier: string;
  readonly where: string | undefined;
  readonly orderBy: readonly OrderTerm[];
}

/** A column to sort by. */
export interface OrderTerm {
  readonly column: string;
  readonly isQualified: boolean;
  readonly collation: string | undefined;
  readonly isDescending: boolean;
  readonly nulls: "FIRST" | "LAST" | undefined;
}

/** Clauses after which a row of the result is no longer a row of the table, or which limit the rows themselves. */
const OTHER_CLAUSES = new Set(["GROUP", "HAVING", "WINDOW", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "OVER", "DISTINCT", "ALL", "JOIN"]);

/** Undefined for a statement of any other form. */
export function simpleSelectOf({ sql, tokens, verb, verbIndex }: Statement): SimpleSelect | undefined {
  if (verb !== "SELECT" || verbIndex !== 0) return undefined;
  const top = new Set(topLevel(tokens));
  const from = tokens.findIndex((token, index) => top.has(index) && isWord(token, "FROM"));
  if (from === -1 || tokens.some((token, index) => top.has(index) && isOtherClause(token))) return undefined;
  const where = tokens.findIndex((token, index) => index > from && top.has(index) && isWord(token, "WHERE"));
  const order = tokens.findIndex((token, index) => index > from && top.has(index) && isWord(token, "ORDER"));
  const orderStart = order === -1 ? tokens.length : order;
  const sourceEnd = where === -1 ? orderStart : where;
  const source = sourceOf(tokens.slice(from + 1, sourceEnd));
  const orderBy = order === -1 ? [] : orderTermsOf(tokens.slice(order + 2));
  if (source === undefined || orderBy === undefined || where > orderStart) return undefined;
  const start = tokens[0]?.start ?? 0;
  const textOf = (begin: number, end: number): string =>
    sql.slice((tokens[begin]?.start ?? 0) - start, (tokens[end - 1]?.end ?? 0) - start);
  return {
    ...source,
    columns: textOf(1, from),
    source: textOf(from + 1, sourceEnd),
    where: where === -1 ? undefined : textOf(where + 1, orderStart),
    orderBy,
  };
}

const isOtherClause = (token: Token): boolean => token.kind === "word" && OTHER_CLAUSES.has(token.value.toUpperCase());

/** Indexes of the tokens outside of brackets. */
function topLevel(tokens: readonly Token[]): number[] {
  let depth = 0;
  return tokens.flatMap((token, index) => {
    if (isSymbol(token, ")")) depth -= 1;
    const isOutside = depth === 0;
    if (isSymbol(token, "(")) depth += 1;
    return isOutside ? [index] : [];
  });
}

const isIdentifier = (token: Token | undefined): token is Token => token?.kind === "word" || token?.kind === "name";

/** `table`, `main.table`, and an alias after either. */
function sourceOf(tokens: readonly Token[]): Pick<SimpleSelect, "table" | "qualifier"> | undefined {
  const hasSchema = isSymbol(tokens[1], ".");
  if (hasSchema && tokens[0]?.value.toLowerCase() !== "main") return undefined;
  const [table, ...rest] = tokens.slice(hasSchema ? 2 : 0);
  const [alias, ...others] = isWord(rest[0], "AS") ? rest.slice(1) : rest;
  if (!isIdentifier(table) || others.length > 0 || (alias !== undefined && !isIdentifier(alias))) return undefined;
  return { table: table.value, qualifier: (alias ?? table).value };
}

function orderTermsOf(tokens: readonly Token[]): OrderTerm[] | undefined {
  const terms: Token[][] = [[]];
  for (const token of tokens)
    if (isSymbol(token, ",")) terms.push([]);
    else terms.at(-1)?.push(token);
  const parsed = terms.map(orderTermOf);
  return parsed.every((term) => term !== undefined) ? parsed : undefined;
}

/** `[table.]column [COLLATE name] [ASC | DESC] [NULLS FIRST | NULLS LAST]`. */
function orderTermOf(tokens: readonly Token[]): OrderTerm | undefined {
  const rest = [...tokens];
  const isQualified = isSymbol(rest[1], ".");
  if (isQualified) rest.splice(0, 2);
  const column = rest.shift();
  const collation = isWord(rest[0], "COLLATE") ? rest.splice(0, 2)[1]?.value : undefined;
  const direction = isWord(rest[0], "ASC") || isWord(rest[0], "DESC") ? rest.shift() : undefined;
  const nulls = isWord(rest[0], "NULLS") ? rest.splice(0, 2)[1]?.value.toUpperCase() : undefined;
  if (!isIdentifier(column) || rest.length > 0 || (nulls !== undefined && nulls !== "FIRST" && nulls !== "LAST")) return undefined;
  return { column: column.value, isQualified, collation, isDescending: isWord(direction, "DESC"), nulls };
}
