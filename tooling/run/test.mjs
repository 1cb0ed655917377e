/** `npm test`: installs, builds, runs every check and every test; the last line sums them up as `N passed, N failed`. */
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build, install, manifest, root, run } from "./steps.mjs";

const checks = Object.entries(manifest.scripts).filter(([name]) => name.startsWith("check:"));
const report = join(root, ".cache/vitest.json");
/** Files with failures that are run once more. When more fail, something is broken. */
const MAX_REPEATED = 5;

let passed = 0;
let failed = 0;

/** A step counts as one test. */
async function step(outcome) {
  const ok = await outcome;
  if (ok) passed += 1;
  else failed += 1;
  return ok;
}

/** Runs test files; undefined where vitest leaves no report. */
async function vitest(title, ...args) {
  rmSync(report, { force: true });
  const ok = await run(title, ["vitest run --reporter=default --reporter=json", `--outputFile.json="${report}"`, ...args].join(" "));
  try {
    return { ok, ...JSON.parse(readFileSync(report, "utf8")) };
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    return undefined;
  }
}

/** Tests and files that failed. A file that could not be loaded has no failed test. */
const brokenIn = ({ testResults }) =>
  testResults.reduce((sum, { status, assertionResults }) => {
    const count = assertionResults.filter((test) => test.status === "failed").length;
    return sum + (count === 0 && status === "failed" ? 1 : count);
  }, 0);

const passedIn = ({ testResults }) =>
  testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "passed").length;

/** Adds vitest's own count. A crash, an unhandled error, and a run without tests are failures. */
async function tests() {
  const results = await vitest("tests");
  if (results === undefined) return void (failed += 1);
  const broken = brokenIn(results);
  const silent = broken === 0 && (!results.ok || results.numPassedTests === 0);
  passed += results.numPassedTests;
  failed += silent ? 1 : broken;
  const skipped = results.numPendingTests + results.numTodoTests;
  if (skipped > 0) console.log(`\n${skipped} skipped${skipReasons(results)}`);
  const files = results.testResults.filter(({ status }) => status === "failed");
  if (files.length > 0 && files.length <= MAX_REPEATED) await repeat(files);
}

/**
 * Runs files with failures once more, one at a time, and counts that run instead: hundreds of tests of processes, engines and browsers share the
 * machine, and a test that fails only beside others is named for who looks after it.
 */
async function repeat(files) {
  const names = files.map(({ name }) => relative(root, name));
  const again = await vitest("tests that failed, alone", "--no-file-parallelism", ...names.map((name) => `"${name}"`));
  if (again === undefined || again.testResults.length !== files.length) return;
  const broken = brokenIn(again);
  failed += (broken === 0 && !again.ok ? 1 : broken) - brokenIn({ testResults: files });
  passed += passedIn(again) - passedIn({ testResults: files });
  const unstable = again.testResults.filter(({ status }) => status === "passed").map(({ name }) => relative(root, name));
  if (unstable.length > 0) console.log(`\nUnstable, failed beside others and passed alone:\n  ${unstable.join("\n  ")}`);
}

/** One line for each reason that skipped tests have in `meta.skipReason`, with their number. */
function skipReasons({ testResults }) {
  const counts = new Map();
  for (const { meta } of testResults.flatMap((file) => file.assertionResults))
    if (meta?.skipReason !== undefined) counts.set(meta.skipReason, (counts.get(meta.skipReason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `\n  ${count}: ${reason}`).join("");
}

if (await step(install())) {
  await step(build());
  for (const [name, command] of checks) await step(run(name, command));
  await tests();
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
