/** `pnpm mutation PATH`: changes the sources below a path one by one (mutants) and shows which changes no test notices. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runMain } from "@oarlock-tooling/test-support/program";
import { Stryker } from "@stryker-mutator/core";
import { FRESH_VARIABLE, HELP, readOptions, TESTS_VARIABLE } from "./options.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const CACHE = join(root, ".cache/mutation");

/** Percent of the covered mutants that tests should kill. */
const AIM = 85;

async function main(args: string[]): Promise<number> {
  const { path, mutate, tests, concurrency, force, fresh, timeoutMs, atLeast } = readOptions(args, root);
  const name = path.replaceAll(/[/:]/g, "-");
  process.env[TESTS_VARIABLE] = tests.join("\n");
  if (fresh) process.env[FRESH_VARIABLE] = "1";
  const stryker = new Stryker({
    mutate: [...mutate],
    plugins: [import.meta.resolve("./reused-worker.ts")],
    testRunner: "vitest",
    vitest: { configFile: "tooling/mutation/vitest.config.ts", related: false, pool: "forks" },
    concurrency,
    incremental: true,
    force,
    incrementalFile: join(CACHE, `${name}.incremental.json`),
    // Vitest does not check types, so sources need no comment that turns the check off.
    disableTypeChecks: false,
    // Stryker rewrites paths in this file with an API that TypeScript 7 lacks; a name that does not exist skips this step.
    tsconfigFile: "tsconfig.none.json",
    ignorePatterns: ["dist", ".cache", ".turbo", "tarballs", "docs", "*.log"],
    reporters: ["clear-text", "progress-append-only", "html"],
    clearTextReporter: { allowColor: process.stdout.isTTY, logTests: false, reportTests: false },
    htmlReporter: { fileName: join(CACHE, `${name}.html`) },
    thresholds: { high: AIM, low: AIM - 15, break: null },
    timeoutMS: timeoutMs,
    allowConsoleColors: process.stdout.isTTY,
    tempDirName: ".stryker-tmp",
  });
  const results = await stryker.runMutationTest();
  const count = (sought: (typeof results)[number]["status"]): number => results.filter(({ status }) => status === sought).length;
  const timeouts = count("Timeout");
  const killed = count("Killed") + timeouts;
  const survived = count("Survived");
  const uncovered = count("NoCoverage");
  const covered = killed + survived;
  const score = covered === 0 ? 0 : (100 * killed) / covered;
  console.log(
    `${path}: ${killed} of ${covered} covered mutants killed (${timeouts} by a timeout), ${score.toFixed(1)} % (aim ${AIM} %); ${uncovered} not covered.`,
  );
  if (score >= atLeast) return 0;
  console.log(`Too few mutants were killed: expected at least ${atLeast} %. Test what the survivors above change.`);
  return 1;
}

process.chdir(root); // Stryker copies its working directory
mkdirSync(CACHE, { recursive: true });
await runMain(HELP, main);
