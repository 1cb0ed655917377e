// Symbolic links in the work tree. git follows some links in the folders of a path, so paths are checked before git reads behind one.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import { nameFromText } from "../text/file-names.ts";
import { absolutePath } from "./path-resolver.ts";
import { enterableEntryAt } from "./file-entry.ts";

/** Whether a folder of the path is a link. `path` is relative to the top; `cache` keeps folders that were checked. */
export function crossesSymlink(repository: WithPaths, path: string, cache = new Map<string, boolean>()): boolean {
  return isBelowSymlink(repository, nameFromText(path), cache);
}

/** Works on bytes: a name that is not UTF-8 may look like another one as text. */
function isBelowSymlink(repository: WithPaths, path: Buffer, cache: Map<string, boolean>): boolean {
  const end = path.lastIndexOf("/");
  if (end === -1) return false;
  const folder = path.subarray(0, end);
  const key = folder.toString("latin1");
  let found = cache.get(key);
  if (found === undefined) {
    found = isBelowSymlink(repository, folder, cache) || enterableEntryAt(absolutePath(repository, folder))?.isSymbolicLink() === true;
    cache.set(key, found);
  }
  return found;
}

export function refuseSymlinkCrossing(repository: WithPaths, relative: string, given: string): void {
  if (crossesSymlink(repository, relative)) throw new GitError("denied", `Access denied - path beyond a symbolic link: ${clip(given)}`);
}
