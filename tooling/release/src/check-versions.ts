/**
 * Fails when a package that would be published has no release version yet: `node check-versions.ts [ROOT]`. The workflow publishes
 * whatever the registry lacks.
 */
import { root } from "./repository.ts";
import { versionProblem } from "./version-problem.ts";

const problem = versionProblem(process.argv[2] ?? root);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
