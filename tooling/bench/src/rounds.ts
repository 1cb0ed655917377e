/**
 * Measures several targets side by side: in each round all of them in turn, so that a drift of the machine's speed falls on
 * all alike, and the ratio of two is taken round by round.
 */
import { killServers } from "@oarlock-tooling/test-support/server-process";
import { ProgressOutput } from "@oarlock/domain-kit";
import { higherIsBetter, isDifference, median, quantile, type Figures } from "./figures.ts";
import type { How } from "./suites/suite.ts";

/** `T`: what is measured; suites have targets. */
export interface Plan<T extends { name: string }> {
  name: string;
  suite: { readonly about: string; measure(target: T, how: How): Promise<Figures> };
  targets: readonly T[];
  rounds: number;
  quick: boolean;
  /** Seconds that one target may take in one round. */
  limit: number;
  wanted(figure: string): boolean;
}

export interface Measured {
  name: string;
  about: string;
  rounds: number;
  seconds: number;
  /** The figures of each round, by target. */
  raw: Map<string, Figures[]>;
  problems: { target: string; text: string }[];
}

export async function measure<T extends { name: string }>(plan: Plan<T>): Promise<Measured> {
  const { name, suite, targets, rounds } = plan;
  const from = performance.now();
  const raw = new Map<string, Figures[]>(targets.map((target) => [target.name, []]));
  const problems: Measured["problems"] = [];
  const progress = new ProgressOutput(process.stderr, { lineMs: 30_000 });
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    // To and fro, so that none always runs after the same other one.
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const problem = (text: string): void => {
        if (!problems.some((known) => known.target === target.name && known.text === text)) problems.push({ target: target.name, text });
      };
      const broken = round > 0 && Object.keys(raw.get(target.name)?.[0] ?? {}).length === 0;
      raw.get(target.name)?.push(broken ? {} : await once(plan, target, problem));
      progress.report(`${name}, measurements`, ++done, rounds * targets.length);
    }
  }
  progress.end();
  return { name, about: suite.about, rounds, seconds: (performance.now() - from) / 1000, raw, problems };
}

async function once<T extends { name: string }>(
  { suite, quick, wanted, limit }: Plan<T>,
  target: T,
  problem: (text: string) => void,
): Promise<Figures> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killServers(); // ends the wait for its answer, too
  }, limit * 1000);
  try {
    const figures = await suite.measure(target, { quick, wanted, problem });
    return Object.fromEntries(Object.entries(figures).filter(([figure]) => wanted(figure)));
  } catch (error) {
    problem(late ? `no result in ${limit} s` : error instanceof Error ? error.message : String(error));
    return {};
  } finally {
    clearTimeout(timer);
  }
}

export interface Comparison {
  of: number;
  to: number;
  /** The median of the rounds' own ratios, of differences the ratio of their medians; and the quartiles of the rounds' own. */
  ratio: number;
  low: number;
  high: number;
}

/** One figure of one target beside another's, or beside another figure of it. All NaN where either was not measured. */
export function compare({ raw }: Measured, figure: string, of: string, to: string, ofFigure = figure): Comparison {
  const values = (raw.get(of) ?? []).map((round) => round[ofFigure] ?? NaN);
  const bases = (raw.get(to) ?? []).map((round) => round[figure] ?? NaN);
  const ratios = values.map((value, round) => value / (bases[round] ?? NaN));
  const [one, other] = [median(values), median(bases)];
  const ratio = isDifference(figure) ? one / other : median(ratios);
  return { of: one, to: other, ratio, low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

export const figuresOf = ({ raw }: Measured): string[] => [...new Set([...raw.values()].flat().flatMap((round) => Object.keys(round)))];

/** A suite's own table: each target's median and, in brackets, its ratio to the base. */
export function rowsOf(measured: Measured, base: string, write: (value: number) => string): string[][] {
  return figuresOf(measured).map((figure) => [
    higherIsBetter(figure) ? `${figure} ↑` : figure,
    ...[...measured.raw.keys()].map((target) => {
      const { of, ratio } = compare(measured, figure, target, base);
      return target === base || Number.isNaN(ratio) ? write(of) : `${write(of)} (${write(ratio)})`;
    }),
  ]);
}
