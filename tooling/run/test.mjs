/** `npm test`: installs, builds, runs every check and every test; the last line sums them up as `N passed, N failed`. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, install, manifest, root, run } from "./steps.mjs";

const checks = Object.entries(manifest.scripts).filter(([name]) => name.startsWith("check:"));
const report = join(root, ".cache/vitest.json");

let passed = 0;
let failed = 0;

/** A step counts as one test. */
async function step(outcome) {
  const ok = await outcome;
  if (ok) passed += 1;
  else failed += 1;
  return ok;
}

/** Adds vitest's own count. A crash, a file that could not be loaded and a run without tests are failures. */
async function tests() {
  rmSync(report, { force: true });
  const ok = await run("tests", `vitest run --reporter=default --reporter=json --outputFile.json="${report}"`);
  let results;
  try {
    results = JSON.parse(readFileSync(report, "utf8"));
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    failed += 1;
    return;
  }
  const unloaded = results.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  );
  const broken = results.numFailedTests + unloaded.length;
  const silent = broken === 0 && (!ok || results.numPassedTests === 0); // an unhandled error, or nothing ran
  passed += results.numPassedTests;
  failed += silent ? 1 : broken;
  const skipped = results.numPendingTests + results.numTodoTests;
  if (skipped > 0) console.log(`\n${skipped} skipped${skipReasons(results)}`);
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
