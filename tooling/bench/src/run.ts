/** `pnpm bench`: what must hold about speed, measured beside the floors and the official servers; or the suites by name. */
import { runMain } from "@oarlock-tooling/test-support/program";
import { BARS, barOf, judge, QUICK_BARS, type Judged } from "./bars.ts";
import { HELP, readOptions, type Options } from "./options.ts";
import { barTable, heading, problemLines, suiteTable, writeJson } from "./report.ts";
import { measure, type Measured } from "./rounds.ts";
import { SUITES } from "./suites/all.ts";
import { fits } from "./suites/suite.ts";
import { measureWanted } from "./table/measure.ts";
import { present, TARGETS } from "./targets.ts";

/** Measures just what the bars need. */
async function runBars({ quick, limit, rounds }: Options): Promise<{ measured: Measured[]; judged: Judged[] }> {
  const bars = quick ? QUICK_BARS : BARS;
  const wants = bars.map(({ suite, figure, ofFigure = figure, of, to = of }) => ({
    suite,
    figures: [figure, ofFigure],
    targets: [of, to],
  }));
  // Few figures take little time, so that more rounds can make the verdict a steady one.
  const usual = (name: string): number => {
    const suite = SUITES.get(name);
    return (quick ? suite?.quickRounds : (suite?.rounds ?? 1) * 2) ?? 1;
  };
  const measured = await measureWanted(wants, { quick, limit, rounds: (name) => rounds ?? usual(name) });
  const judged = bars.map((bar) => judge(bar, measured));
  console.log(`\n${heading()} Medians; a ratio is the median of the rounds' own.\n\n${barTable(judged)}`);
  return { measured, judged };
}

async function runSuites(options: Options): Promise<{ measured: Measured[]; judged: Judged[] }> {
  const measured: Measured[] = [];
  const judged: Judged[] = [];
  console.log(heading());
  const names = options.suites.length > 0 ? options.suites : ["start", "latency", "stdio", "growth"];
  for (const name of names) {
    const suite = SUITES.get(name);
    if (suite === undefined) throw new Error(`unknown suite: ${name}`);
    const fitting = (options.targets.length > 0 ? options.targets : TARGETS).filter((target) => fits(suite, target));
    const targets = present(fitting);
    if (targets.length === 0) throw new Error(`${name}: none of the targets fits this suite`);
    const base = options.base ?? targets[0]?.name ?? "";
    if (!targets.some((target) => target.name === base)) throw new Error(`${name}: the base ${base} is not measured here`);
    const { quick, limit, wanted } = options;
    const rounds = options.rounds ?? (quick ? suite.quickRounds : suite.rounds);
    const run = await measure({ name, suite, targets, rounds, quick, limit, wanted });
    measured.push(run);
    console.log(suiteTable(run, base));
    const other = targets.find((target) => target.name !== base)?.name ?? base;
    const bars = options.bars.map((text) => barOf(text, name, other, base));
    judged.push(...bars.map((bar) => judge(bar, [run])).filter(({ ratio }) => !Number.isNaN(ratio)));
  }
  for (const text of options.bars) {
    const { figure } = barOf(text, "", "", "");
    if (!judged.some(({ bar }) => bar.figure === figure)) judged.push(judge(barOf(text, "", "", ""), []));
  }
  if (judged.length > 0) console.log(`\n${barTable(judged)}`);
  return { measured, judged };
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const plain = options.suites.length === 0 && options.targets.length === 0;
  const { measured, judged } = await (plain ? runBars(options) : runSuites(options));
  const problems = problemLines(measured);
  for (const line of problems) console.log(`\n${line}`);
  if (options.json !== undefined) writeJson(options.json, measured, judged);
  return problems.length > 0 || judged.some(({ verdict }) => verdict === "missed") ? 1 : 0;
}

await runMain(HELP, main);
