// The conditions of a search in SQL: which rows hold all words, and which values they show.
import type Database from "better-sqlite3";
import { quoteName } from "../schema/schema-pragmas.ts";
import type { SearchTerms } from "./search-terms.ts";
import { containsWord, isPlain, LETTERS_FOLDING_INTO_ASCII } from "./text-folding.ts";

/** Longer BLOBs are pictures and the like: they are not searched, and named. */
export const MAX_BLOB_BYTES = 64 * 1024;

/** The time of a search is over. */
export class SearchStopped extends Error {}

/** What the functions of a search write down while a statement runs. */
export interface SearchState {
  /** Time of the deadline, as `performance.now()` counts. */
  until: number;
  /** Indexes of the columns with BLOBs that were too long. */
  longBlobs: Set<number>;
}

const states = new WeakMap<Database.Database, SearchState>();

/** Begins a search of one table on the connection, whose functions know its state. */
export function beginSearch(db: Database.Database, until: number): SearchState {
  const known = states.get(db);
  const state = known ?? { until, longBlobs: new Set() };
  Object.assign(state, { until, longBlobs: new Set<number>() });
  if (known !== undefined) return state;
  states.set(db, state);
  db.function("contains_word", { deterministic: true, directOnly: true }, (value: unknown, word: unknown) =>
    Number(containsWord(value, String(word))),
  );
  db.function("skips_long_blob", { directOnly: true }, (column: unknown) => {
    state.longBlobs.add(Number(column));
    return 0;
  });
  db.function("search_goes_on", { directOnly: true }, () => {
    if (performance.now() > state.until) throw new SearchStopped();
    return 1;
  });
  return state;
}

/** Whether a row has all words, with the parameters of {@link wordParameters}. */
export const rowHasWords = (columns: readonly string[], { words }: SearchTerms): string =>
  words.map((word, index) => `(${anyOf(columns.map((column, at) => valueHasWord(quoteName(column), at, word, index)))})`).join(" AND ");

/** LIKE is three times faster than a function of this server, but ignores letter case of ASCII only, and ends at a NUL. */
function valueHasWord(column: string, at: number, word: string, index: number): string {
  const folded = `contains_word(${column}, @folded${index})`;
  const inBlob = `(typeof(${column}) = 'blob' AND iif(length(${column}) > ${MAX_BLOB_BYTES}, skips_long_blob(${at}), ${folded}))`;
  if (!isPlain(word)) return `(typeof(${column}) <> 'blob' AND ${folded}) OR ${inBlob}`;
  // Only a text with other letters than those of ASCII, or with a NUL, has more bytes than letters.
  const letters = `instr(${column}, char(0)) OR ${column} GLOB '*[${LETTERS_FOLDING_INTO_ASCII}]*'`;
  const unusual = `(octet_length(${column}) <> length(${column}) AND (${letters}) AND ${folded})`;
  // LIKE finds nothing in a BLOB, but would read all of it.
  return `(typeof(${column}) <> 'blob' AND ${column} LIKE @like${index} ESCAPE '\\') OR ${unusual} OR ${inBlob}`;
}

/** A balanced tree: SQLite limits how deep an expression is. */
function anyOf(conditions: readonly string[]): string {
  if (conditions.length <= 1) return conditions[0] ?? "false";
  const half = Math.ceil(conditions.length / 2);
  return `(${anyOf(conditions.slice(0, half))} OR ${anyOf(conditions.slice(half))})`;
}

export const wordParameters = ({ words }: SearchTerms): Record<string, string> =>
  Object.assign(
    {},
    ...words.map((word, index) => ({ [`folded${index}`]: word, ...(isPlain(word) && { [`like${index}`]: likePattern(word) }) })),
  ) as Record<string, string>;

const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** A REAL as SQLite writes it, which is what LIKE compares: 1.0, where JavaScript would write 1. Long BLOBs stay where they are. */
export const returnedValue = (column: string): string =>
  `CASE typeof(${quoteName(column)}) WHEN 'real' THEN CAST(${quoteName(column)} AS TEXT) WHEN 'blob' THEN iif(length(${quoteName(column)}) > ${MAX_BLOB_BYTES}, NULL, ${quoteName(column)}) ELSE ${quoteName(column)} END`;
