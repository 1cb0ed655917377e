/** The target table as one run has it: what is stored, printed, drawn and quoted. Nothing in it names the machine but its kind. */
import { barsOf, judge, type Verdict } from "../bars.ts";
import { higherIsBetter, median } from "../figures.ts";
import { compare, type Measured } from "../rounds.ts";
import { TARGETS, targetNamed } from "../targets.ts";
import type { Target } from "../target.ts";
import { SUITES } from "../suites/all.ts";
import { fits } from "../suites/suite.ts";
import type { Row } from "./rows.ts";

/** Another one beside ours. */
export interface Beside {
  target: string;
  product: string;
  value: number;
  /** Its figure to the floor's. */
  toFloor?: number | undefined;
  /** Ours to its figure, with the quartiles of the rounds' ratios. */
  ours: number;
  low: number;
  high: number;
  /** What ours to its figure has to be, where a limit was set. */
  limit?: number | undefined;
  verdict?: Verdict | undefined;
}

export interface RowResult {
  group: string;
  suite: string;
  figure: string;
  of: string;
  note?: string | undefined;
  floor?: { target: string; value: number } | undefined;
  ours?: number | undefined;
  /** Ours to the floor, or ours itself where there is none. */
  ratio?: number | undefined;
  low?: number | undefined;
  high?: number | undefined;
  bar?: number | undefined;
  stretch?: number | undefined;
  verdict?: Verdict | undefined;
  stretched?: boolean | undefined;
  peers: Beside[];
  behind: string[];
}

export interface Result {
  at: string;
  command: string;
  machine: { cpu: string; cores: number; memoryGiB: number; node: string };
  versions: Readonly<Record<string, string>>;
  seconds: number;
  rows: RowResult[];
  problems: string[];
}

/** Everybody else of the kind of ours that the suite can measure. */
export function peersOf({ suite, of }: Row): Target[] {
  const { kind } = targetNamed(of);
  const measured = SUITES.get(suite) ?? { kinds: [] };
  return TARGETS.filter((target) => target.role === "peer" && target.kind === kind && fits(measured, target) && isLike(of, target));
}

/** The kit is weighed beside libraries, a server beside those of its subject. */
function isLike(of: string, peer: Target): boolean {
  if (targetNamed(of).kind !== "package") return true;
  const subject = of.replace("-package", "");
  const server = TARGETS.find(({ name, role }) => name === peer.name.replace("-package", "") && role === "peer");
  if (subject === "kit") return server?.own !== true && (server === undefined || server.kind === "echo");
  return server?.kind === subject;
}

/** One peer beside ours; undefined where it could not be measured. */
function besideOf(row: Row, run: Measured, { name, product }: Target): Beside | undefined {
  const { figure, of, floor, instead } = row;
  const { to: value, ratio: ours, low, high } = compare(run, figure, of, name, instead?.figure);
  if (Number.isNaN(value)) return undefined;
  const bar = barsOf(row).find(({ to }) => to === name);
  return {
    target: name,
    product,
    value,
    toFloor: floor === undefined ? undefined : compare(run, figure, name, floor).ratio,
    ...{ ours, low, high },
    limit: bar?.limit,
    verdict: bar && judge(bar, [run]).verdict,
  };
}

export function rowResult(row: Row, measured: readonly Measured[]): RowResult {
  const { group, suite, figure, of, floor, bar, stretch, note, instead } = row;
  const notes = [note, instead && `Here ${instead.why}.`].filter((text) => text !== undefined).join(" ");
  const common = { group, suite, figure, of, note: notes === "" ? undefined : notes, bar, stretch };
  const run = measured.find(({ name, raw }) => name === suite && raw.has(of));
  if (run === undefined) return { ...common, verdict: bar === undefined ? undefined : "missed", peers: [], behind: [] };
  const better = (one: number, other: number): boolean => (higherIsBetter(figure) ? one > other : one < other);
  const ours = valueOf(run, of, instead?.figure ?? figure);
  const to = floor === undefined ? undefined : { target: floor, ...compare(run, figure, of, floor, instead?.figure) };
  const ratio = to?.ratio ?? ours;
  const peers = peersOf(row).flatMap((peer) => besideOf(row, run, peer) ?? []);
  return {
    ...common,
    floor: to && { target: to.target, value: to.to },
    ...{ low: to?.low, high: to?.high, ours, ratio },
    verdict: bar === undefined ? undefined : verdictOf(row, run),
    stretched: stretch === undefined ? undefined : !Number.isNaN(ratio) && !better(stretch, ratio),
    peers: peers.toSorted((one, other) => (better(one.value, other.value) ? -1 : 1)),
    behind: peers.filter((peer) => better(1, peer.ours)).map(({ product }) => product),
  };
}

const verdictOf = (row: Row, run: Measured): Verdict =>
  barsOf({ ...row, beside: {} }).every((bar) => judge(bar, [run]).verdict === "met") ? "met" : "missed";

const valueOf = ({ raw }: Measured, target: string, figure: string): number =>
  median((raw.get(target) ?? []).map((round) => round[figure] ?? NaN));
