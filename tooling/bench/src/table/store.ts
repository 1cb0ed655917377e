/** What is kept of a run in `docs/performance.json`: enough to write the page again, small enough to read a diff of. */
import type { Result } from "./result.ts";

const DIGITS = 4;

/** More digits than a benchmark has would only make a diff of every run. */
const short = (_: string, value: unknown): unknown => (typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value);

/** Why something failed, without the places of the machine that it failed on. */
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

/** What could not be measured is null in JSON. */
export const restored = (text: string): Result => JSON.parse(text, (_, value: unknown) => (value === null ? NaN : value)) as Result; // as `stored` wrote it
