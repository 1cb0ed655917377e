// Links within the work tree: git follows some that a name leads through, so where it would read behind one it is looked at before.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { GitError, clip } from "./errors.ts";
import type { Repository } from "./repository.ts";

/** Whether a folder that the path leads through is a link. The path is relative to the top. */
export function leadsThroughLink(repository: Pick<Repository, "facts">, path: string, known: Map<string, boolean> = new Map()): boolean {
  const end = path.lastIndexOf("/");
  if (end === -1) return false;
  const folder = path.slice(0, end);
  let found = known.get(folder);
  if (found === undefined) {
    found =
      leadsThroughLink(repository, folder, known) ||
      lstatSync(join(repository.facts.top, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true;
    known.set(folder, found);
  }
  return found;
}

export function mustNotLeadThroughLink(repository: Repository, relative: string, given: string): void {
  if (leadsThroughLink(repository, relative)) throw new GitError("denied", `Access denied - path beyond a symbolic link: ${clip(given)}`);
}
