/**
 * `npm run test:changed`: the tests that a change against the main branch needs, found by their imports. Builds first, as smoke and deep tests start
 * built servers.
 */
import { execFileSync } from "node:child_process";
import { root, runScript } from "./command.ts";
import { printOutcome } from "./outcome-report.ts";
import { runTests } from "./test-run.ts";

const BLIND = `Selected by imports. Not seen: what a test reaches through a process, a built file or a file that it reads
(Markdown, JSON, golden files, page sources), and tests of packages that are reached in one of these ways. \`npm test\` sees most of it.`;

/** The commit where this branch left the main branch; on the main branch itself, its last pushed commit. */
function mergeBase(): string {
  for (const branch of ["origin/main", "main"]) {
    try {
      return execFileSync("git", ["merge-base", "HEAD", branch], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch {
      // the clone has no such branch
    }
  }
  throw new Error("Neither origin/main nor main exists here, so there is nothing to compare with. Fetch the main branch.");
}

const base = mergeBase();
const isBuilt = runScript("build");
// A change without tests is no failure.
const run = runTests(["fast", "deep", "timing"], { args: [`--changed=${base}`, "--passWithNoTests"] });
printOutcome(run);
console.log(`\nChanged since ${base.slice(0, 12)}. ${BLIND}`);
const failed = run.failed + (isBuilt ? 0 : 1);
console.log(`\n${run.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
