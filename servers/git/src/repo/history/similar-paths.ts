// Suggestions for a path that a commit does not have: models often write a name in another case, or without its folder.
import { clip } from "@oarlock/domain-kit";
import { addNotice } from "../messages/notices.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { enterableEntryAt } from "../safety/file-entry.ts";
import { absolutePath, pathArgument, relativePath } from "../safety/path-resolver.ts";
import { nameFromText, nameToText } from "../text/file-names.ts";

const MAX_SUGGESTIONS = 3;
const MAX_CHECKED = 5;
/** Enough to see whether there is a name. */
const MAX_LISTED_BYTES = 4096;

/** A question with the paths that differ only in letter case, or else those with the same file name; undefined if there are none. */
export async function suggestPaths(
  repository: Repository,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { exitCode, stdout } = await repository.tryRead({ args: ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], signal });
  if (exitCode !== 0) return undefined;
  const wanted = path.toLowerCase();
  const wantedName = baseName(wanted);
  const names = splitRecords(stdout).map(nameToText);
  const sameLetters = names.filter((name) => name.toLowerCase() === wanted);
  const near = sameLetters.length > 0 ? sameLetters : names.filter((name) => baseName(name.toLowerCase()) === wantedName);
  if (near.length === 0) return undefined;
  return `Did you mean ${near
    .slice(0, MAX_SUGGESTIONS)
    .map((name) => clip(name))
    .join(", ")}?`;
}

/** Adds a notice for each path of an empty reply that git does not track: a wrong name looks like a file without changes. */
export async function noticeUntracked(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<void> {
  // A bare repository has no index.
  const list = repository.state.isBare ? ["ls-tree", "-z", "HEAD"] : ["ls-files", "-z"];
  for (const path of paths.slice(0, MAX_CHECKED)) {
    const args = [...list, "--", pathArgument(repository, path)];
    const { exitCode, stdout } = await repository.tryRead({ args, signal, maxBytes: MAX_LISTED_BYTES });
    if (exitCode !== 0 || stdout.length > 0) continue;
    const relative = relativePath(repository, path);
    if (relative === ".") continue;
    const exists = !repository.state.isBare && enterableEntryAt(absolutePath(repository, nameFromText(relative))) !== undefined;
    addNotice(
      exists
        ? `[${clip(relative)} is not tracked: only git_add makes it known to git.]`
        : `[git tracks no ${clip(relative)} now. ${(await suggestPaths(repository, "HEAD", relative, signal)) ?? "Check the path."}]`,
    );
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
