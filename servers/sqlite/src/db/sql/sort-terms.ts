// What a statement sorts by, with COLLATE put behind it: for databases whose own collation is not here.
import { isSymbol, isWord, type Token } from "./tokens.ts";

/** Texts put in place of those from `start` to `end`, which count from the first token. */
export interface Edit {
  readonly parts: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  /** It replaces a collation, not only a way to count. */
  readonly sorts: boolean;
}

const MAX_EDITS = 20;
const AFTER_TERMS = ["LIMIT", "ROWS", "RANGE", "GROUPS"];

/** The edits that let sorting and counting do without the collation of a column. Comparisons, groups and DISTINCT stay as they are. */
export function editsWithoutCollation(tokens: readonly Token[]): Edit[] {
  const offset = tokens[0]?.start ?? 0;
  const edits = tokens.flatMap((token, index) => [
    ...(isWord(token, "ORDER") && isWord(tokens[index + 1], "BY") && !isInWindow(tokens, index) ? sortEdits(tokens, index + 2) : []),
    ...(isWord(token, "COUNT") && isCountOfRows(tokens, index) ? [countEdit(tokens[index + 2])] : []),
  ]);
  return edits.slice(0, MAX_EDITS).map(({ parts, sorts }) => ({
    parts: parts.map(({ start, end, text }) => ({ start: start - offset, end: end - offset, text })),
    sorts,
  }));
}

export function withEdits(sql: string, edits: readonly Edit[]): string {
  let [written, from] = ["", 0];
  for (const { start, end, text } of edits.flatMap(({ parts }) => parts).toSorted((one, other) => one.start - other.start)) {
    written += sql.slice(from, start) + text;
    from = end;
  }
  return written + sql.slice(from);
}

const isCountOfRows = (tokens: readonly Token[], index: number): boolean =>
  isSymbol(tokens[index + 1], "(") && isSymbol(tokens[index + 2], "*") && isSymbol(tokens[index + 3], ")");

/** count(*) reads an index, which may have the collation. */
const countEdit = (star: Token | undefined): Edit => ({
  parts: star === undefined ? [] : [{ start: star.start, end: star.end, text: "1" }],
  sorts: false,
});

function sortEdits(tokens: readonly Token[], from: number): Edit[] {
  const terms: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(from)) {
    if (isSymbol(token, ")") && depth === 0) break;
    if (depth === 0 && AFTER_TERMS.some((word) => isWord(token, word))) break;
    if (isSymbol(token, "(")) depth += 1;
    if (isSymbol(token, ")")) depth -= 1;
    if (depth === 0 && isSymbol(token, ",")) terms.push([]);
    else terms.at(-1)?.push(token);
  }
  return terms.flatMap((term) => {
    const expression = withoutDirection(term);
    const [first, last] = [expression[0], expression.at(-1)];
    if (first === undefined || last === undefined || isWord(expression.at(-2), "COLLATE")) return [];
    const isColumn = expression.length === 1 || (expression.length === 3 && isSymbol(expression[1], "."));
    const after = { start: last.end, end: last.end, text: `${isColumn ? "" : ")"} COLLATE NOCASE` };
    const before = { start: first.start, end: first.start, text: "(" };
    return [{ parts: isColumn ? [after] : [before, after], sorts: true }];
  });
}

function withoutDirection(term: readonly Token[]): readonly Token[] {
  const end = isWord(term.at(-2), "NULLS") ? term.length - 2 : term.length;
  const isDirected = isWord(term[end - 1], "ASC") || isWord(term[end - 1], "DESC");
  return term.slice(0, isDirected ? end - 1 : end);
}

/** The order of a window decides on ties and ranks, so it is not replaced. */
function isInWindow(tokens: readonly Token[], index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    if (isSymbol(tokens[at], ")")) depth += 1;
    if (!isSymbol(tokens[at], "(") || depth-- > 0) continue;
    const isQuery = ["SELECT", "WITH", "VALUES"].some((word) => isWord(tokens[at + 1], word));
    return isWord(tokens[at - 1], "OVER") || (isWord(tokens[at - 1], "AS") && !isQuery);
  }
  return false;
}
