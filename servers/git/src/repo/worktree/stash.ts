// The stash: saving, listing, applying and dropping changes.
import { counted } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { truncateLine } from "../history/commit-record.ts";
import { overwriteRefusal } from "../messages/overwrite-refusal.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitResult } from "../process/git-process.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { HostEnvironment } from "../../platform.ts";
import type { Repository } from "../repository.ts";
import { refuseUnfilteredFiles, refuseUnfilteredWrites, wholeTree } from "../safety/filter-check.ts";
import { pathArguments, pathInput, PATHS_FROM_INPUT } from "../safety/path-resolver.ts";
import { decodeText, nameToText } from "../text/file-names.ts";
import { knownIdentity } from "./committer-identity.ts";

export interface Stash {
  /** 0 is the newest. */
  readonly index: number;
  /** `stash@{0}` */
  readonly name: string;
  readonly hash: string;
  readonly date: string;
  readonly message: string;
}

const FIELD_COUNT = 3;
const MAX_COUNTED = 100;
const MAX_CONFLICT_LINES = 50;

export async function listStashes(
  repository: Repository,
  limit: number,
  signal?: AbortSignal,
): Promise<{ stashes: Stash[]; hasMore: boolean }> {
  const { stdout } = await repository.read({
    args: ["stash", "list", "-z", `--max-count=${limit + 1}`, "--format=%H%x00%cI%x00%gs"],
    signal,
  });
  const fields = splitRecords(stdout).map(decodeText);
  const stashes: Stash[] = [];
  for (let at = 0; at + FIELD_COUNT <= fields.length; at += FIELD_COUNT) {
    const [hash = "", date = "", given = ""] = fields.slice(at, at + FIELD_COUNT);
    // git's own message ends with the subject of a commit, whoever wrote it.
    const message = repository.isTrusted === undefined ? given : given.replace(/^(WIP on .*?: [0-9a-f]+) .*/s, "$1");
    stashes.push({ index: stashes.length, name: stashName(stashes.length), hash, date, message: truncateLine(message) });
  }
  return { stashes: stashes.slice(0, limit), hasMore: stashes.length > limit };
}

/** The name by which git knows a stash. */
export const stashName = (index: number): string => `stash@{${index}}`;

/** The commit of a stash. Throws where there is no such stash. */
export async function resolveStash(repository: Repository, index: number, signal?: AbortSignal): Promise<string> {
  const found = await repository.object(`refs/${stashName(index)}`, undefined, signal);
  if (typeof found !== "string") return found.oid;
  const { stashes } = await listStashes(repository, MAX_COUNTED, signal);
  throw new GitError(
    "not-found",
    stashes.length === 0
      ? "There are no stashes: save changes with action push first."
      : `There is no ${stashName(index)}: the repository has ${counted(stashes.length, "stash", "stashes")}, counted from 0.`,
  );
}

/**
 * The git command that compares a stash with the commit below it. Untracked files are in a third parent, which only git's own command
 * includes.
 */
export async function stashComparison(repository: Repository, hash: string, signal?: AbortSignal): Promise<string[]> {
  const untracked = await repository.object(`${hash}^3`, undefined, signal);
  return typeof untracked === "string" ? ["diff", `${hash}^1`, hash] : ["stash", "show", "--include-untracked", hash];
}

/** The files that a stash holds. */
export async function stashedPaths(repository: Repository, hash: string, signal?: AbortSignal): Promise<string[]> {
  const options = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  const { stdout } = await repository.read({ args: [...(await stashComparison(repository, hash, signal)), ...options], signal });
  return splitRecords(stdout).map(nameToText);
}

export interface StashPushOptions {
  readonly message?: string | undefined;
  readonly includeUntracked: boolean;
  readonly keepIndex: boolean;
  readonly paths: readonly string[];
  readonly host: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
}

/** Saves changes. False if there are none. */
export async function pushStash(repository: Repository, options: StashPushOptions): Promise<boolean> {
  repository.requireWorkTree();
  const { message, includeUntracked, keepIndex, paths, host, signal } = options;
  // Without an identity git saves the stash under one of its own, as a stash is not shared.
  const identity = knownIdentity(repository, host) ?? {};
  const hasPaths = paths.length > 0;
  await refuseUnfilteredStash(repository, options);
  const { stdout } = await repository.change({
    args: [
      "stash",
      "push",
      ...(includeUntracked ? ["--include-untracked"] : []),
      ...(keepIndex ? ["--keep-index"] : []),
      ...(message === undefined ? [] : [`--message=${message}`]),
      ...(hasPaths ? PATHS_FROM_INPUT : []),
    ],
    ...(hasPaths && { input: pathInput(repository, paths) }),
    // Without paths git passes itself a pathspec with magic for the top, which does not work with literal pathspecs.
    env: { ...identity, ...(!hasPaths && { GIT_LITERAL_PATHSPECS: "0" }) },
    signal,
  });
  return !/No local changes to save/.test(stdout.toString());
}

/** A stash stores the changed files, and writes the files of HEAD in their place. */
async function refuseUnfilteredStash(repository: Repository, { includeUntracked, paths, signal }: StashPushOptions): Promise<void> {
  const head = await repository.headCommit(signal);
  // git refuses to stash before the first commit.
  if (head === undefined) return;
  await refuseUnfilteredWrites(
    repository,
    [
      { operands: [head], paths },
      { operands: ["-R", head], paths },
    ],
    signal,
  );
  if (!includeUntracked) return;
  const args = ["ls-files", "--others", "--exclude-standard", "-z", ...pathArguments(repository, paths)];
  await refuseUnfilteredFiles(repository, splitRecords((await repository.read({ args, signal })).stdout), signal);
}

/** Applies a stash; `pop` also drops it, unless there are conflicts. Returns its commit. */
export async function applyStash(repository: Repository, action: "apply" | "pop", index: number, signal?: AbortSignal): Promise<string> {
  repository.requireWorkTree();
  const hash = await resolveStash(repository, index, signal);
  const untracked = await repository.object(`${hash}^3`, undefined, signal);
  await refuseUnfilteredWrites(
    repository,
    [{ operands: [`${hash}^1`, hash], commit: hash }, ...(typeof untracked === "string" ? [] : [wholeTree(untracked.oid)])],
    signal,
  );
  const result = await repository.tryChange({ args: ["stash", action, "--quiet", stashName(index)], signal });
  if (result.exitCode !== 0) throw applyFailure(repository, result, index);
  return hash;
}

function applyFailure(repository: Repository, result: GitResult, index: number): GitError {
  const conflicts = (result.stdout.toString().match(/^CONFLICT .*$/gm) ?? []).slice(0, MAX_CONFLICT_LINES).join("\n");
  const message = readableMessage(repository.state, result.stderr);
  const refusal = overwriteRefusal(result.stderr, "commit them first");
  if (refusal !== undefined) return refusal;
  // git has applied the tracked files by then.
  if (/could not restore untracked files/.test(result.stderr)) {
    const resolve = conflicts === "" ? "" : "Resolve the conflicts and stage the files with git_add. ";
    return new GitError(
      "conflict",
      `Only changes of tracked files were applied: untracked files of the stash would overwrite others. The stash is kept. ${resolve}Before you drop it, read the missing files with git_show, revision ${stashName(index)}^3 and their path. git says: ${message}\n${conflicts}`.trimEnd(),
    );
  }
  if (conflicts !== "")
    return new GitError(
      "conflict",
      `The stash was applied with conflicts and is kept. Resolve them, stage the files with git_add, then drop the stash.\n${conflicts}`,
    );
  return gitFailure(repository, result, ["stash"]);
}

export async function dropStash(repository: Repository, index: number, signal?: AbortSignal): Promise<void> {
  await repository.change({ args: ["stash", "drop", "--quiet", stashName(index)], signal });
}
