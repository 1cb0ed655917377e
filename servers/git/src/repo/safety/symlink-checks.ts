// Links within the work tree: git follows some that a name leads through, so where it would read behind one it is looked at before.
import { lstatSync } from "node:fs";
import { GitError, clip } from "../errors.ts";
import { bytesOf } from "../text/file-names.ts";
import { placeOf } from "./path-resolver.ts";
import type { Repository } from "../repository.ts";

/** Whether a folder that the path leads through is a link. The path is relative to the top. */
export function leadsThroughLink(repository: Pick<Repository, "facts">, path: string, known?: Map<string, boolean>): boolean {
  return isBehindLink(repository, bytesOf(path), known ?? new Map());
}

/** In bytes, as a part of a name that is no text may look like one that is. */
function isBehindLink(repository: Pick<Repository, "facts">, path: Buffer, known: Map<string, boolean>): boolean {
  const end = path.lastIndexOf("/");
  if (end === -1) return false;
  const folder = path.subarray(0, end);
  const key = folder.toString("latin1");
  let found = known.get(key);
  if (found === undefined) {
    found =
      isBehindLink(repository, folder, known) ||
      lstatSync(placeOf(repository, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true;
    known.set(key, found);
  }
  return found;
}

export function mustNotLeadThroughLink(repository: Repository, relative: string, given: string): void {
  if (leadsThroughLink(repository, relative)) throw new GitError("denied", `Access denied - path beyond a symbolic link: ${clip(given)}`);
}
