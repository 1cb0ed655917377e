// The same calls to @modelcontextprotocol/server-memory 2026.8.31 and to this server give the same replies and the same file, except for the
// listed deviations.
import { afterAll, describe, expect, test } from "vitest";
import { known, Ours, Theirs, type Played } from "./pair.ts";
import type { Difference, Row } from "./row.ts";
import { TABLES } from "./tables.ts";
import { isOnPostgres, perStore } from "../support/store-under-test.ts";

const theirs = new Theirs();
afterAll(() => theirs[Symbol.asyncDispose]());

/** On Postgres: searches, and all tools in any order. The other tables are about single replies, which are the same on every store. */
const ON_POSTGRES: readonly (readonly [string, readonly Row[]])[] = [
  ["searching", TABLES.searching],
  ["made-up conversations", perStore(TABLES["made-up conversations"], 4)],
];
const tables = isOnPostgres() ? ON_POSTGRES : Object.entries(TABLES);

describe.each(tables)("comparison with the reference server, %s", (_, rows) => {
  const ours = new Ours(rows);
  test.concurrent.each(rows.map((row) => [row.does, row] as const))("%s", async (_does, row) => {
    const { file, calls, differs } = row;
    const [other, own] = await Promise.all([theirs.play(file, calls), ours.play(row)]);
    if (differs === undefined) agree(other, own);
    else differ(differs, other, own);
  });
});

const repliesOf = ({ answers }: Played): unknown =>
  answers.map(({ isError, text, structured }) => ({ isError, text: withoutIndentation(text), structured: known(structured) }));

/** The deviation `compact`: without the indentation of the reference server. */
function withoutIndentation(text: string): string {
  try {
    return text.includes("\n") ? JSON.stringify(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

function agree(theirs: Played, own: Played): void {
  expect(repliesOf(own)).toEqual(repliesOf(theirs));
  expect(own.file).toBe(theirs.file);
}

function differ({ by, ours: expected, refusing, leaves }: Difference, theirs: Played, own: Played): void {
  expect([repliesOf(own), own.file], `this row agrees: it is not a case of "${by}" any more`).not.toEqual([repliesOf(theirs), theirs.file]);
  const [mine, other] = [own.answers.at(-1)!, theirs.answers.at(-1)!];
  if (typeof expected === "string") expect(mine.text).toBe(expected);
  else if (expected instanceof RegExp) expect(mine.text).toMatch(expected);
  else expect(JSON.parse(mine.text)).toEqual(expected);
  expect({ ours: mine.isError, other: other.isError }).toEqual({
    ours: refusing === "both" || refusing === "ours",
    other: refusing === "both" || refusing === "the other",
  });
  // All replies before the last one are equal.
  expect(repliesOf({ ...own, answers: own.answers.slice(0, -1) })).toEqual(repliesOf({ ...theirs, answers: theirs.answers.slice(0, -1) }));
  expect(own.file).toBe(leaves ?? theirs.file);
}
