/**
 * `pnpm test:report PATH…`: the fast tests below the paths. Its last lines name the failed files and count the skipped tests with their reasons;
 * `.cache/report/tests.json` has every test.
 */
import { printOutcome } from "./outcome-report.ts";
import { runTests } from "./test-run.ts";

const tests = await runTests(["fast"], {
  args: ["--reporter=json", "--outputFile.json=.cache/report/tests.json", ...process.argv.slice(2)],
});
printOutcome(tests);
console.log(`\n${tests.passed} passed, ${tests.failed} failed`);
process.exitCode = tests.failed === 0 ? 0 : 1;
