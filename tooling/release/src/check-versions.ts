/**
 * Fails when a package that would be published has no release version yet: `node check-versions.ts [ROOT]`. The workflow publishes
 * whatever the registry lacks, and before the first changeset is applied that is 0.0.0.
 */
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifestOf, root } from "./repository.ts";

const at = process.argv[2] ?? root;
const unreleased = globSync("{packages,servers}/*/package.json", { cwd: at })
  .map((file) => manifestOf(join(at, dirname(file))))
  .filter(({ private: isPrivate, version }) => isPrivate !== true && /^0\.0\.0(?:-|$)/.test(version))
  .map(({ name }) => name)
  .toSorted((a, b) => a.localeCompare(b));
if (unreleased.length > 0) {
  console.error(`Nothing is published: version 0.0.0 of ${unreleased.join(", ")}. Add a changeset (pnpm exec changeset) and release that.`);
  process.exitCode = 1;
}
