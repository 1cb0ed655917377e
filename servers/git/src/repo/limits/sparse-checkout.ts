// A sparse checkout: tracked files that are not in the work tree, by the user's choice.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { addNotice } from "../messages/notices.ts";
import { lastValue } from "../process/config-list.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { pathArguments } from "../safety/path-resolver.ts";
import { nameToText } from "../text/file-names.ts";

/** How `ls-files -t` marks a file that is not checked out. */
const SKIPPED = "S".charCodeAt(0);
const MARK_LENGTH = 2;

export function isSparse({ state: { config } }: Repository): boolean {
  const setting = config.findLast(({ key }) => key === "core.sparsecheckout");
  return setting !== undefined && /^(?:true|yes|on|1)$/i.test(lastValue(config, "core.sparsecheckout") ?? "true");
}

/** Those of the tracked files at and below the paths that are not checked out; of all files without paths. `others`: how many are. */
async function leftOutFiles(
  repository: Repository,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<{ leftOut: string[]; others: number }> {
  if (!isSparse(repository)) return { leftOut: [], others: 0 };
  const args = ["ls-files", "-t", "-z", ...pathArguments(repository, paths)];
  const { exitCode, stdout } = await repository.tryRead({ args, signal });
  const records = exitCode === 0 ? splitRecords(stdout) : [];
  const leftOut = records.flatMap((record) => (record[0] === SKIPPED ? nameToText(record.subarray(MARK_LENGTH)) : []));
  return { leftOut, others: records.length - leftOut.length };
}

/** Throws where all of the tracked files at and below the paths are not checked out. `nextStep`: a sentence. */
export async function refuseLeftOut(
  repository: Repository,
  paths: readonly string[],
  nextStep: string,
  signal?: AbortSignal,
): Promise<void> {
  const { leftOut, others } = await leftOutFiles(repository, paths, signal);
  const [first, ...more] = leftOut;
  if (first === undefined || others > 0) return;
  const also = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new GitError("not-found", `${clip(first)}${also} is not in the work tree: it lies outside the sparse checkout. ${nextStep}`);
}

/** Adds a notice where a reply about the work tree misses files. `nextStep`: what to do about it. */
export async function noticeLeftOut(
  repository: Repository,
  paths: readonly string[],
  nextStep: string,
  signal?: AbortSignal,
): Promise<void> {
  const {
    leftOut: { length },
  } = await leftOutFiles(repository, paths, signal);
  if (length > 0)
    addNotice(`[sparse checkout: ${length} tracked ${length === 1 ? "file is" : "files are"} not in the work tree${nextStep}]`);
}
