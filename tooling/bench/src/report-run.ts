/** `pnpm bench:report`: the whole target table, beside the floors and every peer that is installed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runMain } from "@oarlock-tooling/test-support/program";
import { page } from "./docs/page.ts";
import { problemLines } from "./report.ts";
import type { Measured } from "./rounds.ts";
import { machine, ownVersion, versions } from "./table/describe.ts";
import { measureWanted, type Want } from "./table/measure.ts";
import { peersOf, rowResult, type Result } from "./table/result.ts";
import { ROWS, type Row } from "./table/rows.ts";
import { merged, restored, stored } from "./table/store.ts";

const HELP = `The whole target table, as docs/performance.md has it: floor, every installed peer, ours, bar met or missed.

  --quick           one short round of each: whether all is well, not how fast anything is
  --suite NAME      only the rows of this suite; may be repeated
  --rounds N        so many rounds
  --limit SECONDS   so long may one target take in one round (default 300)
  --store FILE      what docs/performance.md is made from; with --suite the other rows in it stay
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
  growth: 3,
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

async function main(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      suite: { ...text, multiple: true },
      rounds: text,
      limit: text,
      store: text,
    },
  });
  const { quick, suite: suites } = values;
  const unknown = suites?.filter((name) => !ROWS.some(({ suite }) => suite === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no row is of the suite ${unknown.join(", ")}`);
  const from = performance.now();
  const rows = suites === undefined ? ROWS : ROWS.filter(({ suite }) => suites.includes(suite));
  const rounds = (suite: string): number => Number(values.rounds ?? (quick ? 1 : (ROUNDS[suite] ?? 1)));
  const say = (words: string): void => console.error(`${((performance.now() - from) / 1000).toFixed(0)} s, ${words}`);
  const command = ["pnpm bench:report", ...(quick ? ["--quick"] : [])].join(" ");
  const about = {
    at: new Date().toISOString().slice(0, 10),
    command,
    machine: machine(),
    versions: { "@oarlock/server-kit": ownVersion(), ...versions() },
  };
  const resultOf = (measured: readonly Measured[], some: readonly Row[]): Result => {
    const seconds = (performance.now() - from) / 1000;
    return { ...about, seconds, rows: some.map((row) => rowResult(row, measured)), problems: problemLines(measured) };
  };
  // Where it was typed counts, wherever the script runs.
  const store = values.store === undefined ? undefined : resolve(process.env["INIT_CWD"] ?? ".", values.store);
  const earlier = store !== undefined && suites !== undefined && existsSync(store) ? restored(readFileSync(store, "utf8")) : undefined;
  const keep = (measured: readonly Measured[]): void => {
    if (store === undefined) return;
    const done = rows.filter(({ suite }) => measured.some(({ name }) => name === suite));
    mkdirSync(dirname(store), { recursive: true });
    writeFileSync(store, stored(merged(earlier, resultOf(measured, done))));
  };
  const measured = await measureWanted(rows.map(want), { quick, limit: Number(values.limit ?? 300), rounds, say, keep });
  const result = resultOf(measured, rows);
  console.log(`\n${page(result, new Set())}`);
  return result.rows.some(({ verdict, behind }) => verdict === "missed" || behind.length > 0) ? 1 : 0;
}

await runMain(HELP, main);
