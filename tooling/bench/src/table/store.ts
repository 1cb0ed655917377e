/** The stored form of a run, `docs/performance.json`: enough to write the page again, and small enough for readable diffs. */
import type { Result, RowResult } from "./result.ts";
import { ROWS } from "./rows.ts";

const DIGITS = 4;

/** Rounds numbers: more digits than a benchmark has would change with every run. */
const short = (_: string, value: unknown): unknown => (typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value);

/** The reason of a failure without paths of the machine. */
const plain = (problem: string): string =>
  problem
    .replace(/; stderr:.*/s, "")
    .replaceAll(/(?:file:\/\/)?\/[^\s:'"]+/g, "…")
    .slice(0, 120);

/** As JSON with a line for each row and peer. */
export function stored({ rows, problems, ...rest }: Result): string {
  const lines = rows.map(({ peers, ...row }) => {
    const slim = peers.map(({ low: _low, high: _high, ...peer }) => JSON.stringify(peer, short));
    return `${JSON.stringify(row, short).slice(0, -1)},"peers":[${slim.map((peer) => `\n  ${peer}`).join(",")}]}`;
  });
  const head = JSON.stringify({ ...rest, problems: problems.map(plain) }, short, 1).slice(0, -2);
  return `${head},\n "rows": [\n ${lines.join(",\n ")}\n ]\n}\n`;
}

/** Failed measurements are null in JSON and NaN in a result. */
export const restored = (text: string): Result => JSON.parse(text, (_, value: unknown) => (value === null ? NaN : value)) as Result; // as `stored` wrote it

/** Merges a run over some suites into an earlier one: rows and problems of its suites are replaced. */
export function merged(earlier: Result | undefined, later: Result): Result {
  if (earlier === undefined) return later;
  const anew = new Set(later.rows.map(({ suite }) => suite));
  const kept = earlier.rows.filter(({ suite }) => !anew.has(suite));
  const problems = earlier.problems.filter((problem) => !anew.has(/^- ([\w-]+),/.exec(problem)?.[1] ?? ""));
  const rows = [...kept, ...later.rows].toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...later, seconds: kept.length > 0 ? earlier.seconds : later.seconds, rows, problems: [...problems, ...later.problems] };
}

/** Where a row stands in the target table. */
const placeOf = ({ suite, figure, of, floor }: RowResult): number =>
  ROWS.findIndex((row) => row.suite === suite && row.figure === figure && row.of === of && row.floor === floor?.target);
