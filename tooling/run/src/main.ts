/**
 * What `npm test` does after the installation: builds, runs every check and the fast tests; with `--all` also the deep and timing tests; with
 * `--changed` the tests of a change instead. The last line sums up steps and tests as `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { manifest, run, runScript } from "../steps.mjs";
import { changeSince, describeChange, NoChangeError, type Change } from "./changed.ts";
import { printCosts } from "./cost-report.ts";
import { storeCosts } from "./costs.ts";
import { printOutcome } from "./outcome-report.ts";
import { runTests, type TestRun } from "./test-run.ts";

/** Scripts of the long tier, for nights: with `--all` and OARLOCK_LONG=1, which the tests read as well. */
const LONG_SCRIPTS = [
  "soak",
  "nodes:soak",
  "nodes:soak --minutes 4 --engine postgres --faults restart-engine,pause-engine,kill-node",
  "nodes:soak --minutes 2 --clients 30 --proxy nginx --faults rolling-restart",
  "nodes:soak --minutes 2 --clients 30 --proxy caddy --engine postgres --faults rolling-restart",
  "interop:field",
  "bench:quick",
  "mutation packages/server-kit/src/wire --at-least 80",
  "mutation servers/filesystem/src/disk/access --at-least 80",
  "mutation servers/git/src/repo/safety --at-least 80",
  "mutation servers/sqlite/src/db/policy --at-least 80",
  "mutation servers/memory/src/graph/write --at-least 80",
];

/** Counted from the start of this process; a test file that has not run by then is named, and counts as failed. CI ends a run after 90 minutes. */
const TIME_LIMIT_MS = 75 * 60_000;
/** So that the files are named that have no time left at all. */
const MIN_TIME_MS = 30_000;

/** Neither 0 nor 1: this process has not summed up. */
const CRASHED = 70;

const { values: options } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    base: { type: "string" },
    "store-costs": { type: "boolean", default: false },
  },
});
const isLong = options.all && process.env["OARLOCK_LONG"] === "1";

/** The installation, without which this would not run, counts as a step. */
let passed = 1;
let failed = 0;

function countStep(code: number | undefined): boolean {
  if (code === 0) passed += 1;
  else failed += 1;
  return code === 0;
}

function countTests(tests: TestRun): TestRun {
  passed += tests.passed;
  failed += tests.failed;
  return tests;
}

async function runChanged(change: Change): Promise<void> {
  const args = [
    `--changed=${change.base}`,
    "--experimental.vcsProvider=./tooling/run/src/vitest/changed-files.ts",
    // It keeps imports as unresolved whose file was away for a while, and such a module counts as changed.
    "--fsModuleCache=false",
    // A change without tests does not fail.
    "--passWithNoTests",
  ];
  printOutcome(countTests(await runTests(["fast", "deep", "timing"], { args })));
  console.log(describeChange(change));
}

async function runChecks(): Promise<void> {
  for (const [name, command] of Object.entries(manifest.scripts))
    if (name.startsWith("check:")) countStep(await run(name, command, { isHeld: true }));
}

async function runEverything(): Promise<void> {
  // Beside each other: fast tests often wait for git and for database processes.
  const [fast] = await Promise.all([runTests(["fast"]), runChecks()]);
  const runs = [countTests(fast)];
  if (options.all) {
    const timeoutMs = Math.max(MIN_TIME_MS, TIME_LIMIT_MS - performance.now());
    runs.push(countTests(await runTests(["deep", "timing"], isLong ? {} : { timeoutMs })));
  }
  if (isLong) for (const script of LONG_SCRIPTS) countStep(await runScript(script));
  const files = runs.flatMap((tests) => tests.files);
  printCosts(files);
  // At the end, where they are found: some services keep only the last lines of a long output.
  runs.forEach(printOutcome);
  if (options["store-costs"] && options.all && failed === 0) storeCosts(files);
}

try {
  const change = options.changed ? changeSince(options.base) : undefined;
  if (!countStep(await runScript("build"))) console.log("\nThe tests did not run, because the build failed.");
  else if (change !== undefined) await runChanged(change);
  else await runEverything();
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof NoChangeError ? error.message : error);
  process.exitCode = CRASHED;
}
