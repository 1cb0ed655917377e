// Values that a condition looks for in a column that never holds them: `status = 'Paid'` where it is 'paid'. Named where the reply has no row,
// or one of totals.
import type Database from "better-sqlite3";
import { clip } from "@oarlock/domain-kit";
import type { SqlValue } from "../../csv/dialect.ts";
import type { AllowedStatement } from "../../policy/statement-policy.ts";
import type { RowsReply } from "../../protocol/rows.ts";
import { fold } from "../../search/text-folding.ts";
import { isWord } from "../../sql/tokens.ts";
import { firstRows, literal, type Comparison } from "./comparisons.ts";

const MAX_COMPARISONS = 4;
/** Of a table whose values are looked at. */
const MAX_ROWS = 10_000;
/** Values that are listed. */
const MAX_LISTED = 10;
const MAX_LISTED_LENGTH = 300;
/** Values that show the form of others. */
const MAX_EXAMPLES = 50;
const MAX_NEAR = 3;
const MIN_PART_LENGTH = 3;

/** Words by which a row of totals does not depend on each comparison, and by which no row may be what it says. */
const OTHER_WAYS = ["OR", "NOT", "CASE", "UNION", "EXCEPT", "FILTER", "EXISTS", "LEFT", "IIF"];
const NEGATIONS = ["NOT", "EXCEPT", "CASE"];

type PlainValue = string | number | null;

export function absentValues(
  db: Database.Database,
  { statement, combinesRows }: AllowedStatement,
  comparisons: readonly Comparison[],
  { rowCount, hasMore }: Pick<RowsReply, "rowCount" | "hasMore">,
): string[] {
  if (hasMore || rowCount > (combinesRows ? 1 : 0)) return [];
  const words = rowCount === 0 ? NEGATIONS : OTHER_WAYS;
  if (statement.tokens.some((token) => words.some((word) => isWord(token, word)))) return [];
  return comparisons
    .filter(({ operator }) => operator === "=")
    .slice(0, MAX_COMPARISONS)
    .flatMap((one) => sentenceAbout(db, one) ?? []);
}

function sentenceAbout(db: Database.Database, one: Comparison): string | undefined {
  const { column, value } = one;
  const first = firstRows(one, MAX_ROWS + 1);
  if (db.prepare(`SELECT 1 ${first} WHERE v = ? LIMIT 1`).get(value) !== undefined) return undefined;
  const rows = db.prepare<[], number>(`SELECT count(*) ${first}`).pluck().get() ?? 0;
  if (rows === 0 || rows > MAX_ROWS) return undefined;
  const isNever = `${clip(column)} is never ${literal(value)}`;
  const some = db.prepare<[], SqlValue>(`SELECT DISTINCT v ${first} LIMIT ${MAX_EXAMPLES}`).pluck().all();
  const [blob] = some.filter((given) => Buffer.isBuffer(given));
  if (blob !== undefined) return `${isNever}: it holds BLOBs, such as x'${clip(blob.toString("hex"), 40)}'`;
  const values = some.filter((given): given is PlainValue => given === null || typeof given === "string" || typeof given === "number");
  // A number that no row has as its key needs no list of keys.
  if (typeof value === "number" && values.length === rows && values.every((given) => typeof given === "number")) return undefined;
  const isShort = values.length <= MAX_LISTED && values.map(literal).join(", ").length <= MAX_LISTED_LENGTH;
  const listed = isShort ? values : nearValues(db, first, value);
  if (listed.length > 0) return `${isNever}: it is ${listed.map(literal).join(", ")}`;
  const example = values.find((given) => given !== null);
  const isOtherForm = /\d/.test(String(value)) && !values.some((given) => formOf(given) === formOf(value));
  return isOtherForm && example !== undefined ? `${isNever}: its values are such as ${literal(example)}` : undefined;
}

/** Texts that differ in case, accents or blanks at the ends only; else those that have the text in them. */
function nearValues(db: Database.Database, first: string, wanted: string | number): string[] {
  if (typeof wanted === "number") return [];
  const plain = fold(wanted.trim());
  // SQLite finds texts of ASCII; others are folded here.
  const sql = `SELECT DISTINCT v ${first} WHERE typeof(v) = 'text' AND (v LIKE '%' || ? || '%' OR v GLOB '*[^ -~]*')`;
  const texts = db.prepare<[string], string>(sql).pluck().all(plain);
  const same = texts.filter((text) => fold(text.trim()) === plain);
  return (same.length > 0 || plain.length < MIN_PART_LENGTH ? same : texts.filter((text) => fold(text).includes(plain))).slice(0, MAX_NEAR);
}

/** A text with each number as 9, each letter as a. */
const formOf = (value: PlainValue): string =>
  typeof value === "number"
    ? "number"
    : String(value)
        .replaceAll(/\d/g, "9")
        .replaceAll(/\p{L}+/gu, "a");
