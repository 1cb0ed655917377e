// Refuses a partial clone where git would fetch its missing objects: any read would contact the remote that the repository names.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { GitVersion } from "../process/git-version.ts";
import type { RepositoryState } from "./repository-state.ts";

/**
 * The first release of each line 2.x that never fetches with GIT_NO_LAZY_FETCH; each line from 2.46 on does. git 2.45.0 knows the variable
 * and still fetches what a diff or a checkout needs.
 */
const FIRST_RELEASES: Readonly<Record<number, number>> = { 39: 4, 40: 2, 41: 1, 42: 2, 43: 4, 44: 1, 45: 1 };
const FIRST_MINOR = 46;

const PARTIAL_CLONE_SETTING = /^(?:extensions\.partialclone|remote\.[^]+\.(?:promisor|partialclonefilter))$/;

/** An unknown version may fetch. */
export function canKeepFromFetching(version: GitVersion | undefined): boolean {
  if (version === undefined) return false;
  const { major, minor, patch } = version;
  if (major > 2 || minor >= FIRST_MINOR) return true;
  const first = FIRST_RELEASES[minor];
  return first !== undefined && patch >= first;
}

export function refusePartialClone({ config, isTrusted }: RepositoryState, version: GitVersion | undefined, given: string): void {
  if (isTrusted || canKeepFromFetching(version) || !config.some(({ key }) => PARTIAL_CLONE_SETTING.test(key))) return;
  const name = version === undefined ? "this git" : `git ${version.major}.${version.minor}.${version.patch}`;
  throw new GitError(
    "unsafe",
    `Refused: ${clip(given)} is a partial clone, and ${name} would contact its remote for missing objects in any call. Update git to 2.${FIRST_MINOR} or later, or, if you trust the repository, start the server with --trust and its path.`,
  );
}
