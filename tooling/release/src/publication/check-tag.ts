/** Fails unless a tag names the version of this commit: `node check-tag.ts v1.2.3`. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, publishedFolders, root } from "../repository.ts";

/** Why the repository at `root` cannot be released under this tag; undefined: it can. */
export function tagProblem(tag: string, root: string): string | undefined {
  const published = publishedFolders(root).map((folder) => manifestOf(join(root, folder)));
  const others = published.filter(({ version }) => `v${version}` !== tag || version.startsWith("0.0.0"));
  if (others.length > 0)
    return `Tag ${tag} does not fit ${others.map(({ name, version }) => `${name} ${version}`).join(", ")}. Tag the commit that has this version.`;
  const pending = globSync(".changeset/*.md", { cwd: root }).filter((file) => !file.endsWith("README.md"));
  if (pending.length > 0) return `Changesets are not applied: ${pending.join(", ")}. Merge the pull request "Version packages" first.`;
  return undefined;
}

if (import.meta.main) {
  const problem = tagProblem(process.argv[2] ?? "", root);
  if (problem !== undefined) console.error(problem);
  process.exitCode = problem === undefined ? 0 : 1;
}
