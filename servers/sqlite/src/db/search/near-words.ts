// Words of the tables that are nearly those of a search without matches: `Prizibilski` for Przybylski.
import type Database from "better-sqlite3";
import { nearestNames } from "@oarlock/domain-kit";
import { columnsOrError, quoteName } from "../schema/schema-pragmas.ts";
import type { TableEntry } from "../schema/table-list.ts";
import { fold } from "./text-folding.ts";

const MAX_MS = 1000;
const MAX_ROWS = 20_000;
/** Rows that are read between two looks at the clock: on a busy machine a few of them end no search. */
const ROWS_BETWEEN_LOOKS = 256;
/** Longer texts are not names. */
const MAX_BYTES = 100;
const MIN_LETTERS = 4;
const MAX_WORDS = 3;

export interface NearWords {
  /** At most a few for each word that the tables do not have. */
  readonly words: readonly string[];
  /** The search with the nearest word in place of each such word. */
  readonly text: string;
}

/** @param wanted Folded words. Undefined where the tables have each of them, or nothing that is near. */
export function nearWords(db: Database.Database, tables: readonly TableEntry[], wanted: readonly string[]): NearWords | undefined {
  const misspelt = new Map(wanted.filter((word) => word.length >= MIN_LETTERS).map((word) => [word, new Set<string>()]));
  if (misspelt.size === 0) return undefined;
  const until = performance.now() + MAX_MS;
  const seen = new Set<string>();
  for (const text of shortTexts(db, tables, until))
    for (const word of text.match(/[\p{L}\p{M}\d]{3,}/gu) ?? []) {
      const folded = fold(word);
      if (seen.has(folded)) continue;
      seen.add(folded);
      for (const [given, alike] of misspelt) if (mayBeNear(given, folded)) alike.add(word);
    }
  const missing = [...misspelt].filter(([given]) => !seen.has(given));
  const near = new Map(missing.map(([given, alike]) => [given, nearestNames(given, alike, MAX_WORDS)]));
  const words = [...new Set([...near.values()].flat())].slice(0, 2 * MAX_WORDS);
  if (words.length === 0) return undefined;
  return { words, text: wanted.map((word) => near.get(word)?.[0] ?? word).join(" ") };
}

/** Cheaply: about as long, and with the same beginning or end. */
const mayBeNear = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) * 3 <= one.length && (one[0] === other[0] || one.slice(-2) === other.slice(-2));

function* shortTexts(db: Database.Database, tables: readonly TableEntry[], until: number): Generator<string> {
  let rowsRead = 0;
  for (const { name } of tables.filter(({ type }) => type === "table")) {
    const columns = columnsOrError(db, name).columns.filter(({ type }) => type === "" || /char|clob|text/i.test(type));
    if (columns.length === 0) continue;
    const short = columns
      .map((column) => quoteName(column.name))
      .map((column) => `iif(octet_length(${column}) <= ${MAX_BYTES}, ${column}, NULL)`);
    const rows = db.prepare(`SELECT ${short.join(", ")} FROM main.${quoteName(name)} LIMIT ${MAX_ROWS}`).raw();
    for (const row of rows.iterate()) {
      for (const value of row as unknown[]) if (typeof value === "string") yield value; // raw
      rowsRead += 1;
      if (rowsRead % ROWS_BETWEEN_LOOKS === 0 && performance.now() > until) return;
    }
  }
}
