/** `pnpm bench:report`: the whole target table, beside the floors and every peer that is installed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { present } from "./present.ts";
import { heading, problemLines } from "./report.ts";
import { machine, ownVersion, versions } from "./table/describe.ts";
import { measureWanted, type Want } from "./table/measure.ts";
import { printed } from "./table/print.ts";
import { peersOf, rowResult, type Result } from "./table/result.ts";
import type { Row } from "./table/row.ts";
import { ROWS } from "./table/rows.ts";
import { stored } from "./table/store.ts";

const HELP = `The whole target table: floor, every installed peer, ours, bar met or missed.

  --quick           one short round of each: whether all is well, not how fast anything is
  --suite NAME      only the rows of this suite; may be repeated
  --rounds N        so many rounds
  --limit SECONDS   so long may one target take in one round (default 120)
  --store FILE      what docs/performance.md is made from
  --json FILE       everything, each round included
`;

/** Enough for a steady median, in less than twenty minutes for all. */
const ROUNDS: Readonly<Record<string, number>> = {
  start: 15,
  latency: 4,
  stdio: 4,
  "stdio-modern": 4,
  http: 4,
  git: 5,
  sqlite: 4,
  filesystem: 3,
  memory: 2,
  growth: 2,
  sessions: 2,
};

function want(row: Row): Want {
  const { suite, figure, of, floor, instead } = row;
  const peers = peersOf(row).map(({ name }) => name);
  return {
    suite,
    figures: [figure, ...(instead === undefined ? [] : [instead.figure])],
    targets: [of, ...(floor === undefined ? [] : [floor]), ...peers],
  };
}

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      help: { type: "boolean" },
      quick: { type: "boolean", default: false },
      suite: { ...text, multiple: true },
      rounds: text,
      limit: text,
      store: text,
      json: text,
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const { quick, suite: suites } = values;
  const unknown = suites?.filter((name) => !ROWS.some(({ suite }) => suite === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no row is of the suite ${unknown.join(", ")}`);
  const from = performance.now();
  const rows = suites === undefined ? ROWS : ROWS.filter(({ suite }) => suites.includes(suite));
  const rounds = (suite: string): number => Number(values.rounds ?? (quick ? 1 : (ROUNDS[suite] ?? 1)));
  const say = (words: string): void => console.error(`${((performance.now() - from) / 1000).toFixed(0)} s, ${words}`);
  const measured = await measureWanted(rows.map(want), { quick, limit: Number(values.limit ?? 120), rounds, present, say });
  const result: Result = {
    at: new Date().toISOString().slice(0, 10),
    command: ["pnpm bench:report", ...(quick ? ["--quick"] : []), ...(suites ?? []).map((name) => `--suite ${name}`)].join(" "),
    machine: machine(),
    versions: { "@oarlock/server-kit": ownVersion(), ...versions() },
    seconds: (performance.now() - from) / 1000,
    rows: rows.map((row) => rowResult(row, measured)),
    problems: problemLines(measured),
  };
  console.log(
    `\n${heading()} Medians; a ratio is the median of the rounds' own; "ours to it" is ours divided by theirs.\n\n${printed(result)}`,
  );
  if (values.store !== undefined) write(values.store, stored(result));
  const suitesRaw = measured.map((suite) => ({ ...suite, raw: Object.fromEntries(suite.raw) }));
  if (values.json !== undefined) write(values.json, `${JSON.stringify({ ...result, suites: suitesRaw }, undefined, 1)}\n`);
  return result.rows.some(({ verdict, behind }) => verdict === "missed" || behind.length > 0) ? 1 : 0;
}

/** Where it was typed counts, wherever the script runs. */
function write(name: string, text: string): void {
  const file = resolve(process.env["INIT_CWD"] ?? ".", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
