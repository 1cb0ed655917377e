// Values that a condition looks for in a column that never holds them: `status = 'Paid'` where it is 'paid'. Named where the reply has no row,
// or one of totals.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { RowsReply } from "../protocol/rows.ts";
import { fold } from "../search/text-folding.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import type { Params } from "../sql/parameters.ts";
import { isWord } from "../sql/tokens.ts";
import { comparisonsIn, type Comparison } from "./comparisons.ts";

const MAX_COMPARISONS = 4;
/** Of a table whose values are looked at. */
const MAX_ROWS = 10_000;
/** Values that are listed. */
const MAX_LISTED = 10;
const MAX_NEAR = 3;

/** Words by which a row of totals does not depend on each comparison, and by which no row may be what it says. */
const OTHER_WAYS = ["OR", "NOT", "CASE", "UNION", "EXCEPT", "FILTER", "EXISTS", "LEFT", "IIF"];
const NEGATIONS = ["NOT", "EXCEPT", "CASE"];

type PlainValue = string | number | null;

export function absentValues(
  db: Database.Database,
  { statement, combinesRows }: AllowedStatement,
  params: Params | undefined,
  { rowCount, hasMore }: Pick<RowsReply, "rowCount" | "hasMore">,
): string[] {
  if (hasMore || rowCount > (combinesRows ? 1 : 0)) return [];
  const words = rowCount === 0 ? NEGATIONS : OTHER_WAYS;
  if (statement.tokens.some((token) => words.some((word) => isWord(token, word)))) return [];
  return comparisonsIn(db, statement, params)
    .filter(({ operator }) => operator === "=")
    .slice(0, MAX_COMPARISONS)
    .flatMap((one) => sentenceAbout(db, one) ?? []);
}

function sentenceAbout(db: Database.Database, { table, column, value }: Comparison): string | undefined {
  const first = `FROM (SELECT ${quoteName(column)} AS v FROM main.${quoteName(table)} LIMIT ${MAX_ROWS + 1})`;
  if (db.prepare(`SELECT 1 ${first} WHERE v = ? LIMIT 1`).get(value) !== undefined) return undefined;
  const all = db.prepare<[], SqlValue>(`SELECT v ${first}`).pluck().all();
  if (all.length === 0 || all.length > MAX_ROWS) return undefined;
  const values = [...new Set(all)].filter((one): one is PlainValue => one === null || typeof one === "string" || typeof one === "number");
  const listed =
    values.length <= MAX_LISTED && values.every((one) => typeof one !== "string" || one.length <= 40) ? values : nearValues(values, value);
  if (listed.length > 0) return `${clip(column)} is never ${literal(value)}: it is ${listed.map(literal).join(", ")}`;
  const example = values.find((one) => one !== null);
  const isOtherForm = /\d/.test(String(value)) && !values.some((one) => formOf(one) === formOf(value));
  return isOtherForm && example !== undefined
    ? `${clip(column)} is never ${literal(value)}: its values are such as ${literal(example)}`
    : undefined;
}

/** Those that differ in case, accents, blanks at the ends, or as number and text only. */
function nearValues(values: readonly PlainValue[], wanted: string | number): PlainValue[] {
  const plain = (value: PlainValue): string => fold(String(value).trim());
  return values.filter((value) => value !== null && plain(value) === plain(wanted)).slice(0, MAX_NEAR);
}

/** A text with each number as 9, each letter as a. */
const formOf = (value: PlainValue): string =>
  typeof value === "number"
    ? "number"
    : String(value)
        .replaceAll(/\d/g, "9")
        .replaceAll(/\p{L}+/gu, "a");

const literal = (value: PlainValue): string =>
  typeof value === "string" ? `'${clip(value, 40).replaceAll("'", "''")}'` : value === null ? "NULL" : String(value);
