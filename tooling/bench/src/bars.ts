/** Bars: limits for the ratio of our figure to another one measured in the same run, and a few limits for the figure itself. */
import { higherIsBetter } from "./figures.ts";
import { compare, type Comparison, type Measured } from "./rounds.ts";
import { ALL_ROWS, type Row } from "./table/rows.ts";
import { targetNamed } from "./targets.ts";

export interface Bar {
  suite: string;
  figure: string;
  of: string;
  /** Omitted: the limit applies to the figure itself. */
  to?: string | undefined;
  op: "<=" | ">=";
  limit: number;
  /** Our figure where it differs from the figure of the other target. */
  ofFigure?: string | undefined;
}

/** The bars of a row of the target table. */
export function barsOf({ suite, figure, of, floor, bar, beside = {}, instead }: Row): Bar[] {
  const op = higherIsBetter(figure) ? ">=" : "<=";
  const barTo = (to: string | undefined, limit: number): Bar => ({ suite, figure, of, to, op, limit, ofFigure: instead?.figure });
  const limits = Object.entries(beside).map(([to, limit]) => barTo(to, limit));
  return bar === undefined ? limits : [barTo(floor, bar), ...limits];
}

/** Bars that need no peer from `pnpm bench:peers`; the report judges those with peers too. */
export const BARS: readonly Bar[] = ALL_ROWS.flatMap(barsOf).filter(({ of, to = of }) =>
  [of, to].every((name) => targetNamed(name).installed === undefined && targetNamed(name).kind !== "package"),
);

/** A few figures of each kind, compared with the floor only. */
export const QUICK_BARS: readonly Bar[] = ALL_ROWS.filter(({ quick }) => quick).flatMap((row) => barsOf({ ...row, beside: {} }));

export type Verdict = "met" | "missed";

export interface Judged extends Comparison {
  bar: Bar;
  verdict: Verdict;
}

/** A bar that could not be measured is missed. */
export function judge(bar: Bar, measured: readonly Measured[]): Judged {
  const { suite, figure, of, to = of, op, limit, ofFigure } = bar;
  const run = measured.find(({ name, raw }) => name === suite && raw.has(of) && raw.has(to));
  const found = run === undefined ? { of: NaN, to: NaN, ratio: NaN, low: NaN, high: NaN } : compare(run, figure, of, to, ofFigure);
  const value = bar.to === undefined ? found.of : found.ratio;
  return { ...found, bar, verdict: holds(value, op, limit) ? "met" : "missed" };
}

const holds = (value: number, op: Bar["op"], limit: number): boolean => (op === "<=" ? value <= limit : value >= limit);

/** Parses `--bar 'start ms <= 0.4'`; suite and targets are those of the run. */
export function barOf(text: string, suite: string, of: string, to: string): Bar {
  const [, figure, op, limit] = /^(.+?)\s*(<=|>=)\s*(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (figure === undefined || (op !== "<=" && op !== ">="))
    throw new Error(`--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got ${text}`);
  return { suite, figure, of, to, op, limit: Number(limit) };
}
