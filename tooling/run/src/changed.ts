/** The change that `npm run test:changed` tests: what differs from the main branch. */
import { execFileSync } from "node:child_process";
import { root } from "../steps.mjs";

export const BLIND_SPOTS = `Tests are selected by imports. Not seen: what a test reaches through a process, a built file or a file that it
reads (Markdown, JSON, golden files, page sources, configuration). \`npm test\` sees most of it.`;

/** The output of git; undefined where it fails. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * The commit where this branch left `given`, by default `origin/main` or `main`.
 * @throws Error when there is no such commit, or nothing has changed since.
 */
export function baseOfChange(given: string | undefined): string {
  const branches = given === undefined ? ["origin/main", "main"] : [given];
  const base = branches.map((branch) => git("merge-base", "HEAD", branch)).find((commit) => commit !== undefined);
  if (base === undefined)
    throw new Error(
      `HEAD has no common commit with ${branches.join(" or ")} in this clone. Fetch it, in a shallow clone with git fetch --unshallow.`,
    );
  if (base === git("rev-parse", "HEAD") && git("status", "--porcelain") === "")
    throw new Error("Nothing has changed: HEAD is part of the main branch. Name a commit: npm run test:changed -- --base REF.");
  return base;
}
