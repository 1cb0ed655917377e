// Suggestions for a path that a commit does not have: models often write a name in another case, or without its folder.
import { clip } from "@oarlock/domain-kit";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { nameToText } from "../text/file-names.ts";

const MAX_SUGGESTIONS = 3;

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

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
