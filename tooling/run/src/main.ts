/**
 * What `npm test` does after the installation: builds, runs every check and the fast tests; with `--all` also the deep and timing tests. The last
 * line sums up steps and tests as `N passed, N failed`.
 */
import { manifest, runCommand, runScript } from "./command.ts";
import { printCosts } from "./cost-report.ts";
import { storeCosts } from "./costs.ts";
import { printOutcome } from "./outcome-report.ts";
import { runTests, type TestRun } from "./test-run.ts";

/** Scripts of the long tier, for nights and releases: with `--all` and OARLOCK_LONG=1, which the tests read as well. */
const LONG_SCRIPTS = [
  "soak",
  "nodes:soak",
  "interop:field",
  "bench:quick",
  "mutation packages/server-kit/src/wire",
  "mutation servers/filesystem/src/disk/access",
  "mutation servers/git/src/repo/safety",
  "mutation servers/sqlite/src/db/policy",
  "mutation servers/memory/src/graph/write",
];

/** Counted from the start of this process: a test file that has not run by then is named, and counts as failed. */
const BOX_MS = 75 * 60_000;

const isAll = process.argv.includes("--all");
const isLong = isAll && process.env["OARLOCK_LONG"] === "1";

/** The installation, without which this would not run, counts as a step. */
let passed = 1;
let failed = 0;

function step(isOk: boolean): void {
  if (isOk) passed += 1;
  else failed += 1;
}

function tests(run: TestRun): void {
  printOutcome(run);
  passed += run.passed;
  failed += run.failed;
}

step(runScript("build"));
for (const [name, command] of Object.entries(manifest.scripts)) if (name.startsWith("check:")) step(runCommand(name, command));

const fast = runTests(["fast"]);
tests(fast);
const files = [...fast.files];
if (isAll) {
  const rest = runTests(["deep", "timing"], isLong ? {} : { timeoutMs: BOX_MS - performance.now() });
  tests(rest);
  files.push(...rest.files);
}
if (isLong) for (const script of LONG_SCRIPTS) step(runScript(script));
printCosts(files);
if (process.argv.includes("--store-costs")) storeCosts(files);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
