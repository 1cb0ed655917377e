/**
 * Fails when a package that would be published has no release version yet, which is 0.0.0 before the first changeset is applied:
 * `node check-versions.ts [ROOT]`. The workflow publishes whatever the registry lacks.
 */
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifestOf, root } from "./repository.ts";

/** Names the packages of the repository at `root` that cannot be published; undefined without one. */
export function versionProblem(root: string): string | undefined {
  const unreleased = globSync("{packages,servers}/*/package.json", { cwd: root })
    .map((file) => manifestOf(join(root, dirname(file))))
    .filter(({ private: isPrivate, version }) => isPrivate !== true && /^0\.0\.0(?:-|$)/.test(version))
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b));
  if (unreleased.length === 0) return undefined;
  return `Nothing is published: version 0.0.0 of ${unreleased.join(", ")}. Add a changeset (pnpm exec changeset) and release that.`;
}

if (import.meta.main) {
  const problem = versionProblem(process.argv[2] ?? root);
  if (problem !== undefined) console.error(problem);
  process.exitCode = problem === undefined ? 0 : 1;
}
