// Remarks on slips that only the data shows: one sentence each for the reply.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../../policy/statement-policy.ts";
import type { RowsReply } from "../../protocol/rows.ts";
import type { Params } from "../../sql/parameters.ts";
import { isUpdateOrDelete, type Statement } from "../../sql/statement.ts";
import { absentValues } from "./absent-values.ts";
import { comparisonsIn } from "./comparisons.ts";
import { numbersAsText } from "./numbers-as-text.ts";
import { comparedWithOtherClass } from "./other-class.ts";
import { textsInSums } from "./texts-in-sums.ts";
import { misreadTimes } from "./time-counts.ts";
import { wholeQuotients } from "./whole-quotients.ts";

export function remarksOnData(
  db: Database.Database,
  allowed: AllowedStatement,
  params: Params | undefined,
  rows: Pick<RowsReply, "rowCount" | "hasMore">,
): string[] {
  const { statement } = allowed;
  if (!mayHaveAny(statement, rows.rowCount)) return [];
  const comparisons = comparisonsIn(db, statement, params);
  return [
    ...absentValues(db, allowed, comparisons, rows),
    ...numbersAsText(db, statement, comparisons),
    ...comparedWithOtherClass(db, comparisons),
    ...textsInSums(db, statement),
    ...misreadTimes(db, statement),
    ...wholeQuotients(db, statement),
  ];
}

/** With the slips of the statement: why an UPDATE or DELETE found no row. */
export function slipsOfChange(
  db: Database.Database,
  allowed: AllowedStatement,
  params: Params | undefined,
  changes: number,
): { slips?: readonly string[] } {
  const { statement, slips = [] } = allowed;
  const isInVain = changes === 0 && isUpdateOrDelete(statement.verb);
  const absent = isInVain ? absentValues(db, allowed, comparisonsIn(db, statement, params), { rowCount: 0, hasMore: false }) : [];
  return slips.length + absent.length === 0 ? {} : { slips: [...slips, ...absent] };
}

const SIGNS: ReadonlySet<string> = new Set(["<", ">", "/"]);
const WORDS = /^(?:between|order|max|min|date|datetime|time|strftime|julianday|count|sum|avg|total)$/i;

/** The tokens alone show that most statements have none. */
const mayHaveAny = ({ tokens, isExplain }: Statement, rowCount: number): boolean =>
  !isExplain &&
  tokens.some(
    ({ kind, value }) =>
      (kind === "symbol" && (SIGNS.has(value) || (value === "=" && rowCount === 0))) || (kind === "word" && WORDS.test(value)),
  );
