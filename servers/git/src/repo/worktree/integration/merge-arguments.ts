// The arguments of git merge: how it fast-forwards, and the name of what is merged, which git writes into the message and conflict markers.
import { clip } from "@oarlock/domain-kit";
import { lastValue } from "../../process/config-list.ts";
import { isRefName } from "../../refs/revision-syntax.ts";
import type { Repository } from "../../repository.ts";

export interface MergeRequest {
  /** As the caller wrote it. */
  readonly revision: string;
  /** What it resolved to. */
  readonly commit: string;
  /** `auto`: as the configuration says, which is where possible without a setting. */
  readonly ff: "auto" | "only" | "no";
  /** Default: that of git for a branch. */
  readonly message?: string | undefined;
}

const OPTIONS = ["--no-edit", "--no-stat", "--no-autostash", "--no-verify-signatures"];

export async function mergeArguments(
  repository: Repository,
  { revision, commit, ff, message }: MergeRequest,
  signal?: AbortSignal,
): Promise<string[]> {
  const isBranch = await isBranchAt(repository, revision, commit, signal);
  const text = message ?? (isBranch ? undefined : `Merge '${clip(revision)}'`);
  const title = text === undefined || ff === "only" ? [] : [`--message=${text}`];
  return [...OPTIONS, ...fastForward(repository, ff), ...title, isBranch ? revision : commit];
}

/** The repository's own settings, also those of the branch, reach git by themselves; those of the user do not. */
function fastForward({ ownSettings, user }: Repository, ff: MergeRequest["ff"]): string[] {
  if (ff !== "auto") return [ff === "only" ? "--ff-only" : "--no-ff"];
  if (ownSettings.some(({ key }) => key === "merge.ff" || /^branch\.[^]*\.mergeoptions$/.test(key))) return [];
  const setting = user.entries.some(({ key }) => key === "merge.ff") ? (lastValue(user.entries, "merge.ff") ?? "true") : "";
  if (setting === "only") return ["--ff-only"];
  return /^(?:false|no|off|0)$/i.test(setting) ? ["--no-ff"] : [];
}

/**
 * Whether git finds this commit by the name of a branch: only then it takes the place of the id. A branch that moves before git reads it is
 * merged as it is then.
 */
async function isBranchAt(repository: Repository, name: string, commit: string, signal?: AbortSignal): Promise<boolean> {
  // For FETCH_HEAD git merges what the file lists.
  if (!isRefName(name) || name.endsWith("_HEAD")) return false;
  for (const full of [name, `refs/heads/${name}`, `refs/remotes/${name}`]) {
    const found = await repository.object(full, undefined, signal);
    const isSame = typeof found !== "string" && found.oid === commit;
    if (full === name ? !isSame : isSame) return isSame;
  }
  return false;
}
