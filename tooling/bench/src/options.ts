/** The command line of the bench. */
import { parseArgs } from "node:util";
import { positiveInteger } from "@oarlock-tooling/test-support/program";
import { barOf } from "./bars.ts";
import { SUITES } from "./suites/all.ts";
import { targetOf } from "./command-line.ts";
import { TARGETS, targetNamed } from "./targets.ts";
import type { Target } from "./target.ts";

export const HELP = `Measures MCP servers from outside, over stdio and HTTP, several side by side, in turn within each round.

  pnpm bench                      what must hold, each with 'met' or 'missed'; exit status 1 where a bar is missed
  pnpm bench SUITE … [options]    all figures of these suites

Suites
${[...SUITES].map(([name, { about }]) => `  ${name.padEnd(14)}${about}`).join("\n")}

What to measure
  --target NAME     one of: ${TARGETS.map(({ name }) => name).join(", ")}; may be repeated
  --cmd NAME=LINE   a command line; {dir} is a folder to serve, {port} and $PORT where to listen
  --compare A B     two command lines or names of targets; ratios are A / B

How
  --quick           fewer rounds, less work in each: all bars in less than a minute
  --rounds N        so many rounds
  --base NAME       ratios to this target (default: the first one; with --compare the second)
  --figures REGEX   these figures only
  --limit SECONDS   so long may one target take in one round (default 120)
  --bar TEXT        'FIGURE <= RATIO' or 'FIGURE >= RATIO' of the first other target to the base; may be repeated
  --json FILE       everything, each round included
`;

export type Options = ReturnType<typeof readOptions>;

/** Reads the command line. Throws what to say about a wrong one. */
export function readOptions(args: string[]) {
  const text = { type: "string" } as const;
  const texts = { type: "string", multiple: true, default: [] as string[] } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: flag,
      compare: flag,
      target: texts,
      cmd: texts,
      bar: texts,
      base: text,
      rounds: text,
      limit: text,
      json: text,
      figures: text,
    },
  });
  const suites = positionals.filter((word) => SUITES.has(word));
  const rest = positionals.filter((word) => !SUITES.has(word));
  const pair = values.compare ? rest.splice(0, 2).map((word, at) => namedOrLine(word, "AB".charAt(at))) : [];
  if (values.compare && pair.length < 2) throw new Error("--compare: expected two command lines or names of targets");
  if (rest.length > 0) throw new Error(`unknown suite: ${rest.join(", ")} (there are ${[...SUITES.keys()].join(", ")})`);
  const figures = values.figures === undefined ? undefined : new RegExp(values.figures);
  const targets = [...pair, ...values.target.map(targetNamed), ...values.cmd.map((line) => targetOf(line, "command"))];
  for (const bar of values.bar) barOf(bar, "", "", ""); // reports a wrong bar before minutes of measuring, not after
  // Without both it is our own bars that are judged, which bring their figures and bases along.
  const idle = values.bar[0] ?? values.base ?? values.figures;
  if (suites.length === 0 && targets.length === 0 && idle !== undefined)
    throw new Error("--bar, --base and --figures are for suites or targets: name one");
  return {
    suites,
    /** Empty: those that fit the suite. */
    targets,
    base: values.base ?? pair[1]?.name,
    rounds: count("--rounds", values.rounds),
    quick: values.quick,
    limit: count("--limit", values.limit) ?? 120,
    bars: values.bar,
    json: values.json,
    wanted: (figure: string): boolean => figures?.test(figure) ?? true,
  };
}

const namedOrLine = (word: string, name: string): Target => TARGETS.find((target) => target.name === word) ?? targetOf(word, name);

const count = (option: string, value: string | undefined): number | undefined =>
  value === undefined ? undefined : positiveInteger(option, value);
