/** What must hold: our figure against another's, as a ratio taken side by side in one run. */
import { compare, type Comparison, type Measured } from "./rounds.ts";

export interface Bar {
  suite: string;
  figure: string;
  of: string;
  to: string;
  op: "<=" | ">=";
  ratio: number;
}

export const BARS: readonly Bar[] = [
  { suite: "start", figure: "start ms", of: "ours", to: "floor", op: "<=", ratio: 1.25 },
  { suite: "start", figure: "start ms", of: "ours-filesystem", to: "fs-floor", op: "<=", ratio: 1.6 },
  { suite: "stdio", figure: "echo 64B x16 server cpu us", of: "ours", to: "floor", op: "<=", ratio: 1.6 },
  { suite: "stdio", figure: "echo 64B x16 server cpu us", of: "ours", to: "sdk-v1", op: "<=", ratio: 0.35 },
  { suite: "stdio", figure: "list x16 server cpu us", of: "ours", to: "floor", op: "<=", ratio: 1.3 },
  { suite: "stdio", figure: "echo 64B x256 rps", of: "ours", to: "sdk-v1", op: ">=", ratio: 3.5 },
];

export type Verdict = "met" | "missed" | "planned";

export interface Judged extends Comparison {
  bar: Bar;
  verdict: Verdict;
}

/** A bar that could not be measured is missed, unless nobody has written its target yet. */
export function judge(bar: Bar, measured: readonly Measured[], planned: (target: string) => boolean): Judged {
  const run = measured.find(({ name, raw }) => name === bar.suite && raw.has(bar.of) && raw.has(bar.to));
  const found = run === undefined ? { of: NaN, to: NaN, ratio: NaN, low: NaN, high: NaN } : compare(run, bar.figure, bar.of, bar.to);
  const holds = bar.op === "<=" ? found.ratio <= bar.ratio : found.ratio >= bar.ratio;
  return { ...found, bar, verdict: holds ? "met" : planned(bar.of) ? "planned" : "missed" };
}

/** A bar by hand, as in `--bar 'start ms <= 0.4'`; suite and targets are those of the run. */
export function barOf(text: string, suite: string, of: string, to: string): Bar {
  const [, figure, op, ratio] = /^(.+?)\s*(<=|>=)\s*(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (figure === undefined || (op !== "<=" && op !== ">="))
    throw new Error(`--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got ${text}`);
  return { suite, figure, of, to, op, ratio: Number(ratio) };
}
