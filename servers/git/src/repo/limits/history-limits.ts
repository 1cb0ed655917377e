// Where the history of a clone ends before that of its project, and where git at a terminal shows another one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addNotice } from "../messages/notices.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import type { Repository } from "../repository.ts";
import { entryAt } from "../safety/file-entry.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_NAMED = 3;
const SHOWN_DIGITS = 12;

export interface HistoryReply {
  readonly listed?: readonly string[] | undefined;
  readonly isFurtherPage?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The commits whose parents a shallow clone does not have. Empty for a complete history. */
export function boundaryCommits({ commonDir }: RepositoryPaths): ReadonlySet<string> {
  return new Set(textOf(join(commonDir, "shallow")).match(/^[0-9a-f]{40,64}$/gm));
}

const textOf = (file: string): string => {
  const stat = entryAt(file);
  return stat?.isFile() === true && stat.size <= MAX_FILE_BYTES ? readFileSync(file, "latin1") : "";
};

/** The same objects; those of boundary commits are marked. */
export function markBoundaries<T extends { readonly hash: string }>(
  { state }: Repository,
  items: readonly T[],
): (T & { boundary?: true })[] {
  const boundaries = boundaryCommits(state);
  return boundaries.size === 0 ? [...items] : items.map((item) => (boundaries.has(item.hash) ? { ...item, boundary: true } : item));
}

/**
 * Adds notices of what a reply about history cannot show. `listed`: its commits, where it omits all others. Without it the end of a
 * shallow history is named in any case. `isFurtherPage`: what concerns all pages stands on the first.
 */
export async function noticeHistoryLimits(repository: Repository, { listed, isFurtherPage = false, signal }: HistoryReply): Promise<void> {
  const boundaries = boundaryCommits(repository.state);
  const ends = listed === undefined ? [...boundaries] : [...new Set(listed)].filter((hash) => boundaries.has(hash));
  if (ends.length > 0) {
    const more = ends.length > MAX_NAMED ? ` and ${ends.length - MAX_NAMED} more` : "";
    const names = ends.slice(0, MAX_NAMED).map((hash) => hash.slice(0, SHOWN_DIGITS));
    addNotice(
      `[shallow clone: its history ends at ${names.join(", ")}${more} (boundary). What is older counts as changed there, and all files as new; git fetch --unshallow gets the rest]`,
    );
  }
  if (!isFurtherPage && (await hasReplacements(repository, signal)))
    addNotice(
      "[replace refs and grafts are not applied: this is the history as it was committed, and git at a terminal shows another one]",
    );
}

async function hasReplacements(repository: Repository, signal?: AbortSignal): Promise<boolean> {
  const { commonDir, config } = repository.state;
  if (/^[0-9a-f]/m.test(textOf(join(commonDir, "info/grafts")))) return true;
  const folder = join(commonDir, "refs/replace");
  if (entryAt(folder)?.isDirectory() === true && readdirSync(folder).length > 0) return true;
  const isInFiles = !config.some(({ key, value }) => key === "extensions.refstorage" && value !== "files");
  if (isInFiles) return repository.hasPackedRefBelow("refs/replace/");
  const { stdout } = await repository.tryRead({ args: ["for-each-ref", "--count=1", "refs/replace"], signal });
  return stdout.length > 0;
}
