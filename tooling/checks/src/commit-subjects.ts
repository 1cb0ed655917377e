/** `node tooling/checks/src/commit-subjects.ts RANGE`: fails when a subject in the range is not `scope: imperative …`. Needs no installation. */
import { execFileSync } from "node:child_process";

const MAX_LENGTH = 72;

/** What is wrong with a subject; undefined: nothing. Merges and reverts are written by git. */
export function subjectProblem(subject: string): string | undefined {
  if (/^(Merge |Revert ")/.test(subject)) return undefined;
  if (!/^[a-z][a-z0-9-]*(, ?[a-z][a-z0-9-]*)*: \S/.test(subject)) return "expected a lower-case scope, as in `git: refuse unknown dates`";
  if (subject.length > MAX_LENGTH) return `expected at most ${MAX_LENGTH} characters, got ${subject.length}`;
  return subject.endsWith(".") ? "expected no period at the end" : undefined;
}

function check(range: string): number {
  const lines = execFileSync("git", ["log", "--format=%h %s", range], { encoding: "utf8" }).trim().split("\n");
  const problems = lines
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, hash = "", subject = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
      const problem = subjectProblem(subject);
      return problem === undefined ? [] : [`${hash} "${subject}": ${problem}.`];
    });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) console.error("Reword these commits with: git rebase -i");
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  const [range] = process.argv.slice(2);
  if (range === undefined) throw new Error("Usage: commit-subjects.ts RANGE, such as origin/main..HEAD");
  process.exitCode = check(range);
}
