/** What the bench prints and writes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Judged } from "./bars.ts";
import { format, table } from "./figures.ts";
import { rowsOf, type Measured } from "./rounds.ts";
import { machine } from "./table/describe.ts";

const SIGNS = { "<=": "≤", ">=": "≥" };

export function heading(): string {
  const { node, cores, cpu } = machine();
  return `Node ${node} for all targets, ${cores} × ${cpu}.`;
}

/** All figures of one suite. */
export function suiteTable(measured: Measured, base: string): string {
  const { name, about, rounds, seconds, raw } = measured;
  const head = ["figure", ...raw.keys()];
  const ratios = raw.size > 1 ? `; in brackets the ratio to ${base}, the median of the rounds' own` : "";
  return `\n### ${name}: ${about}\n\nMedians of ${rounds} rounds${ratios}. ${seconds.toFixed(0)} s.\n\n${table(head, rowsOf(measured, base, format))}`;
}

/** What must hold, and whether it does. */
export function barTable(judged: readonly Judged[]): string {
  const rows = judged.map(({ bar, of, to, ratio, low, high, verdict }) => [
    `${bar.of}: ${bar.figure}`,
    format(of),
    bar.to === undefined ? "" : `${bar.to} ${format(to)}`,
    bar.to === undefined ? "" : Number.isNaN(ratio) ? "n/a" : `${format(ratio)} (${format(low)}–${format(high)})`,
    `${SIGNS[bar.op]} ${bar.limit}`,
    verdict,
  ]);
  return table(["figure", "value", "beside", "ratio (quartiles)", "bar", "verdict"], rows);
}

export function problemLines(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ name, problems }) =>
    problems.map(({ target, text }) => `- ${name}, ${target}: ${text.replaceAll(/\s+/g, " ").slice(0, 400)}`),
  );
}

/** Everything, each round included, for those who look closer or keep it. */
export function writeJson(file: string, measured: readonly Measured[], judged: readonly Judged[]): void {
  const suites = measured.map((suite) => ({ ...suite, raw: Object.fromEntries(suite.raw) }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...machine(), suites, bars: judged }, undefined, 1)}\n`);
}
