// Rules S1 and S2 with random SQL through every tool that only reads: the bytes of the database and of every other file stay unchanged. The
// test compares the files on disk, not the replies of the server.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStress, type StressRun } from "./stress.ts";

const RUNS = process.env["OARLOCK_LONG"] === "1" ? 30_000 : 400;
const SEED = Number(process.env["OARLOCK_SEED"] ?? 20_261_121);

/** The same numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const GAPS = [" ", " ", " ", "\n", "\t", "\f", "/**/", "/* ; */", "-- x\n", "/*'*/", "\r\n", "\ufeff", ";", "", "/*/ */", "--\n"];
const NAMES = [
  "t",
  "name",
  "n",
  "id",
  "counted",
  "names",
  "texts",
  "older",
  "places",
  "texts_data",
  "sqlite_schema",
  "sqlite_sequence",
  "temp",
  "main",
  "x",
  '"t"',
  "[t]",
  "`t`",
  "'t'",
  "dbstat",
  "sqlite_dbpage",
  "pragma_user_version",
  "pragma_query_only",
];
const VALUES = [
  "1",
  "0",
  "'x'",
  "NULL",
  "x'00'",
  "?",
  ":a",
  "'OUT/copy.db'",
  "'ROOT/new.db'",
  "':memory:'",
  "1e9",
  "';'",
  "'--'",
  "'/*'",
  '"n"',
  "(SELECT 1)",
  "load_extension('x')",
  "randomblob(9)",
  "$a",
  "@b",
];
const WORDS =
  "SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE REPLACE WITH AS RECURSIVE RETURNING EXPLAIN QUERY PLAN PRAGMA ATTACH DETACH DATABASE VACUUM CREATE TEMP TEMPORARY TABLE VIEW INDEX TRIGGER VIRTUAL USING fts5 DROP ALTER RENAME TO ADD COLUMN BEGIN COMMIT END SAVEPOINT RELEASE ROLLBACK REINDEX ANALYZE ON CONFLICT DO NOTHING UNION ALL VALUES IF NOT EXISTS ORDER BY LIMIT AFTER EACH ROW CASE WHEN THEN".split(
    " ",
  );
const MARKS = [
  "(",
  ")",
  ",",
  "=",
  ".",
  ";",
  "*",
  "||",
  "+",
  "'",
  '"',
  "[",
  "]",
  "`",
  "--",
  "/*",
  "*/",
  "\\",
  "\u00a0",
  "\u2028",
  "{",
  "@",
  "$",
  "#",
];
const WHOLE = [
  "DELETE FROM t",
  "INSERT INTO t (n) VALUES (1)",
  "UPDATE t SET n = 0",
  "DROP TABLE t",
  "PRAGMA user_version = 7",
  "PRAGMA query_only = 0",
  "VACUUM INTO 'OUT/copy.db'",
  "VACUUM",
  "ATTACH 'OUT/new.db' AS o",
  "CREATE TABLE x (a)",
  "CREATE TEMP TABLE x (a)",
  "REPLACE INTO t VALUES (1, 'x', 1)",
  "BEGIN IMMEDIATE",
  "REINDEX",
  "ANALYZE",
  "PRAGMA journal_mode = WAL",
  "SELECT * FROM t",
  "WITH a AS (SELECT 1) DELETE FROM t",
  "INSERT INTO texts(texts) VALUES ('optimize')",
  "SELECT optimize(older) FROM older",
  "PRAGMA wal_checkpoint",
  "SELECT 1",
  "PRAGMA schema_version = 1",
  "PRAGMA incremental_vacuum",
];
const BEFORE = [
  "EXPLAIN",
  "EXPLAIN QUERY PLAN",
  "WITH a AS (SELECT 1)",
  "SELECT 1;",
  "SELECT 1 UNION",
  "SELECT (",
  "/* SELECT */",
  ";",
  "\ufeff",
  "(",
  "SELECT * FROM (",
  "CREATE TABLE y AS",
  "WITH RECURSIVE b(x) AS (VALUES (1))",
  "--",
  "/*",
  "'",
  "SELECT '",
  "EXPLAIN EXPLAIN",
  "SELECT * FROM t WHERE id IN (",
];

let stress: StressRun;
beforeAll(async () => {
  stress = await startStress();
  await stress.checkHealth();
});
afterAll(() => stress[Symbol.asyncDispose]());

function sqlOf(random: (below: number) => number): string {
  const pick = <T>(all: readonly T[]): T => all[random(all.length)]!;
  const swapped = (text: string): string =>
    text
      .split("")
      .map((one) => (random(4) === 0 ? (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()) : one))
      .join("");
  const spaced = (text: string): string => text.split(" ").join(random(3) === 0 ? pick(GAPS) || " " : " ");
  const gap = (): string => pick(GAPS);
  switch (random(5)) {
    case 0:
      return Array.from(
        { length: 2 + random(12) },
        () => pick([pick(WORDS), pick(WORDS), pick(NAMES), pick(VALUES), pick(MARKS)]) + gap(),
      ).join(" ");
    case 1:
      return gap() + pick(BEFORE) + gap() + swapped(spaced(pick(WHOLE))) + gap() + pick(["", ")", ";", "--", ";;", "*/", "'"]);
    case 2: {
      // A whole statement with a few characters changed.
      const text = pick(WHOLE).split("");
      for (let change = 0; change <= random(3); change++)
        text.splice(random(text.length), random(2), pick([pick(MARKS), gap(), pick(VALUES)]));
      return gap() + text.join("");
    }
    case 3:
      return `${gap()}SELECT ${pick(["*", "1", "count(*)", "rowid"])} FROM${pick(GAPS.slice(0, 7))} ${pick(NAMES)}${pick(["", " WHERE 1", " LIMIT 2", ";"])}${gap()}`;
    default:
      return gap() + swapped(pick(WHOLE)) + gap() + pick([";", ""]) + gap() + pick(WHOLE);
  }
}

test(`S1 S2 changes no byte by ${RUNS} random statements through the tools that only read (seed ${SEED})`, async () => {
  const random = randomNumbers(SEED);
  const [inside, outside] = [stress.inside(), stress.outside()];
  const expectUnchanged = (texts: readonly string[]): void => {
    expect(stress.inside(), JSON.stringify(texts)).toEqual(inside);
    expect(stress.outside(), JSON.stringify(texts)).toEqual(outside);
  };
  const outcomes = { read: 0, refused: 0 };
  for (let run = 0; run < RUNS; run += 10) {
    const texts = Array.from({ length: 10 }, () => sqlOf(random).replaceAll("OUT", stress.out).replaceAll("ROOT", stress.root));
    const replies = await Promise.all(
      texts.map(async (query, at) => ({
        query,
        ...(await stress.reply(at % 5 === 4 ? "explain_query" : "read_query", { query, timeout_ms: 1000 })),
      })),
    );
    for (const { query, failed, text } of replies) {
      outcomes[failed ? "refused" : "read"] += 1;
      expect(text, query).not.toContain("Internal error");
    }
    expectUnchanged(texts);
  }
  // The texts reach SQLite often enough, and are refused often enough.
  expect(outcomes.read).toBeGreaterThan(RUNS / 40);
  expect(outcomes.refused).toBeGreaterThan(RUNS / 3);
  await stress.checkRules();
}, 900_000);

test(`S2 S3 changes no file and no setting by ${RUNS / 4} random dry runs`, async () => {
  const random = randomNumbers(SEED + 1);
  const outside = stress.outside();
  const inside = stress.inside();
  for (let run = 0; run < RUNS / 4; run += 10) {
    const texts = Array.from({ length: 10 }, () => sqlOf(random).replaceAll("OUT", stress.out).replaceAll("ROOT", stress.root));
    for (const query of texts) {
      const dry = await stress.write(query, { dry_run: true, timeout_ms: 2000 });
      expect(dry.text, query).not.toContain("Internal error");
    }
    expect(stress.inside(), JSON.stringify(texts)).toEqual(inside);
    expect(stress.outside(), JSON.stringify(texts)).toEqual(outside);
  }
  const settings =
    "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_temp_schema), (SELECT count(*) FROM t)";
  expect(await stress.rows(settings)).toEqual([[0, 0, 3]]);
  await stress.checkRules();
}, 900_000);
