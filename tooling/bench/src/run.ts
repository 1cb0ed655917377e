/** `pnpm bench`: what must hold about speed, measured beside the floors and the official servers; or the suites by name. */
import { BARS, barOf, judge, type Judged } from "./bars.ts";
import { HELP, readOptions, type Options } from "./options.ts";
import { barTable, heading, problemLines, suiteTable, writeJson } from "./report.ts";
import { measure, type Measured } from "./rounds.ts";
import { SUITES } from "./suites/all.ts";
import { fits } from "./suites/suite.ts";
import { isBuilt, isPlanned, TARGETS, targetNamed, type Target } from "./targets.ts";

/** Those of the targets that can be started; the others are named. */
function present(targets: readonly Target[]): Target[] {
  for (const target of targets.filter((one) => !isBuilt(one))) {
    console.log(`${target.name} is left out: ${isPlanned(target) ? "it is not written yet" : "it is not built (pnpm build)"}.`);
  }
  return targets.filter(isBuilt);
}

interface Part {
  wanted(figure: string): boolean;
  /** So many times the usual number of rounds. */
  times: number;
}

async function runSuite(name: string, targets: readonly Target[], options: Options, { wanted, times }: Part): Promise<Measured> {
  const suite = SUITES.get(name);
  if (suite === undefined) throw new Error(`unknown suite: ${name}`);
  const { quick, limit } = options;
  const rounds = options.rounds ?? (quick ? suite.quickRounds : suite.rounds) * times;
  return measure({ name, suite, targets, rounds, quick, limit, wanted });
}

/** Measures just what the bars need. */
async function runBars(options: Options): Promise<{ measured: Measured[]; judged: Judged[] }> {
  const groups = Map.groupBy(BARS, ({ suite, of }) => `${suite} ${targetNamed(of).kind}`);
  const measured: Measured[] = [];
  for (const bars of groups.values()) {
    const suite = bars[0]?.suite ?? "";
    const names = new Set(bars.flatMap(({ of, to = of }) => [to, of]));
    const targets = present([...names].map(targetNamed));
    if (!bars.some(({ of }) => isBuilt(targetNamed(of)))) continue;
    const figures = new Set(bars.map(({ figure }) => figure));
    // Few figures take little time, so that more rounds can make the verdict a steady one.
    measured.push(await runSuite(suite, targets, options, { wanted: (figure) => figures.has(figure), times: 2 }));
  }
  const judged = BARS.map((bar) => judge(bar, measured, (name) => isPlanned(targetNamed(name))));
  console.log(`\n${heading()} Medians; a ratio is the median of the rounds' own.\n\n${barTable(judged)}`);
  return { measured, judged };
}

async function runSuites(options: Options): Promise<{ measured: Measured[]; judged: Judged[] }> {
  const measured: Measured[] = [];
  const judged: Judged[] = [];
  console.log(heading());
  const names = options.suites.length > 0 ? options.suites : ["start", "latency", "stdio", "growth"];
  for (const name of names) {
    const suite = SUITES.get(name) ?? { kinds: [] };
    const fitting = (options.targets.length > 0 ? options.targets : TARGETS).filter((target) => fits(suite, target));
    const targets = present(fitting);
    if (targets.length === 0) throw new Error(`${name}: none of the targets fits this suite`);
    const base = options.base ?? targets[0]?.name ?? "";
    if (!targets.some((target) => target.name === base)) throw new Error(`${name}: the base ${base} is not measured here`);
    const run = await runSuite(name, targets, options, { wanted: options.wanted, times: 1 });
    measured.push(run);
    console.log(suiteTable(run, base));
    const other = targets.find((target) => target.name !== base)?.name ?? base;
    const bars = options.bars.map((text) => barOf(text, name, other, base));
    judged.push(...bars.map((bar) => judge(bar, [run], () => false)).filter(({ ratio }) => !Number.isNaN(ratio)));
  }
  for (const text of options.bars) {
    const { figure } = barOf(text, "", "", "");
    if (!judged.some(({ bar }) => bar.figure === figure)) judged.push(judge(barOf(text, "", "", ""), [], () => false));
  }
  if (judged.length > 0) console.log(`\n${barTable(judged)}`);
  return { measured, judged };
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) {
    console.log(HELP);
    return 0;
  }
  const plain = options.suites.length === 0 && options.targets.length === 0;
  const { measured, judged } = await (plain ? runBars(options) : runSuites(options));
  const problems = problemLines(measured);
  for (const line of problems) console.log(`\n${line}`);
  if (options.json !== undefined) writeJson(options.json, measured, judged);
  return problems.length > 0 || judged.some(({ verdict }) => verdict === "missed") ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
