// Merge, rebase, cherry-pick and revert: start, continue, skip and abort, with the conflicts at which they stop.
import { GitError } from "../../errors.ts";
import { readableMessage } from "../../messages/readable-message.ts";
import { gitFailure, requireUnlocked } from "../../process/git-failure.ts";
import type { GitResult } from "../../process/git-process.ts";
import { noticeDetachedCommits } from "../../refs/unnamed-commits.ts";
import type { Repository } from "../../repository.ts";
import { refuseUnfilteredWrites, wholeTree, type TreeWrite } from "../../safety/filter-check.ts";
import { refuseUnknownOperation } from "../../safety/operation/operation-check.ts";
import { committerIdentity } from "../committer-identity.ts";
import { readConflicts, refuseLeftMarkers } from "../conflicts.ts";
import { programSettings, type ProgramPolicy } from "../hooks-and-signing.ts";
import { currentOperation, inProgress, wayToEnd } from "../operation.ts";
import { withLines, type ShownConflict } from "./conflict-lines.ts";

export type IntegrationStep = "start" | "continue" | "skip" | "abort";
export type IntegrationKind = "merge" | "rebase" | "cherry-pick" | "revert";

export interface IntegrationResult {
  readonly state: "done" | "conflict" | "aborted";
  readonly head: string | undefined;
  readonly conflicts: readonly ShownConflict[];
  /** What git printed. */
  readonly message: string;
}

export interface IntegrationOptions {
  readonly step: IntegrationStep;
  /** Arguments of the first step. */
  readonly args: readonly string[];
  /** What the first step writes into the work tree. */
  readonly writes: readonly TreeWrite[];
  readonly signal?: AbortSignal | undefined;
}

/** Throws where the operation is not in progress. Checked before the user is asked whether to abort it, too. */
export function requireInProgress(repository: Repository, kind: IntegrationKind): void {
  const current = currentOperation(repository);
  if (current === kind) return;
  throw new GitError(
    "invalid",
    current === undefined
      ? `There is no ${kind} in progress. git_status shows the state.`
      : `There is no ${kind} in progress. ${inProgress(current)}: ${wayToEnd(current)}.`,
  );
}

/** Runs one step. */
export async function integrate(
  repository: Repository,
  kind: IntegrationKind,
  { step, args, writes, signal }: IntegrationOptions,
  policy: ProgramPolicy,
): Promise<IntegrationResult> {
  repository.requireWorkTree();
  if (step === "start") requireNoOperation(repository);
  else {
    requireInProgress(repository, kind);
    await refuseUnknownOperation(repository.context.git, repository.state, { kind, step }, signal);
    if (step === "continue") await refuseLeftMarkers(repository, signal);
  }
  await refuseUnfilteredWrites(repository, writes, signal);
  const { settings, env } = programSettings(repository, policy);
  const identity = step === "abort" ? {} : committerIdentity(repository, policy.env);
  const result = await repository.tryChange({
    args: [kind, ...(step === "start" ? args : [`--${step}`])],
    settings,
    env: { ...env, ...identity },
    ...(step === "start" && { beforeStart: () => requireUnlocked(repository) }),
    signal,
  });
  return integrationResult(repository, kind, step, result, signal);
}

/** What a merge of a commit writes: what it changed since the common ancestor. */
export async function writesOfMerge(repository: Repository, commit: string, signal?: AbortSignal): Promise<TreeWrite[]> {
  const head = await repository.headCommit(signal);
  return [head === undefined ? wholeTree(commit) : { operands: [`${head}...${commit}`], commit }];
}

/** What a rebase writes: first the new base, then the commits of the branch. */
export async function writesOfRebase(
  repository: Repository,
  { upstream, onto }: { readonly upstream: string; readonly onto: string },
  signal?: AbortSignal,
): Promise<TreeWrite[]> {
  const head = await repository.headCommit(signal);
  if (head === undefined) return [wholeTree(onto)];
  return [
    { operands: [head, onto], commit: onto },
    { operands: [`${upstream}...${head}`], commit: head },
  ];
}

export function requireNoOperation(repository: Repository): void {
  const current = currentOperation(repository);
  // A bisect changes no file of the work tree that an integration would.
  if (current === undefined || current === "bisect") return;
  throw new GitError("conflict", `${inProgress(current)}: ${wayToEnd(current)}.`);
}

/** The outcome of a command that integrates. Throws where it failed for another reason than conflicts. */
export async function integrationResult(
  repository: Repository,
  command: string,
  step: IntegrationStep,
  result: GitResult,
  signal?: AbortSignal,
): Promise<IntegrationResult> {
  const message = readableMessage(repository.state, `${result.stdout.toString()}\n${result.stderr}`);
  const isSuccess = result.exitCode === 0;
  const conflicts =
    isSuccess || currentOperation(repository) === undefined ? [] : withLines(repository, await readConflicts(repository, signal));
  const head = await repository.headCommit(signal);
  if (isSuccess && step !== "abort") await noticeDetachedCommits(repository, signal);
  if (isSuccess) return { state: step === "abort" ? "aborted" : "done", head, conflicts, message };
  if (conflicts.length > 0) return { state: "conflict", head, conflicts, message };
  if (/nothing to commit|is now empty|previous cherry-pick is now empty/i.test(message))
    throw new GitError("conflict", "This step changes nothing any more: continue with step skip, or end the operation with step abort.");
  const [, merge] = /commit ([0-9a-f]+) is a merge but no -m option was given/.exec(message) ?? [];
  if (merge !== undefined) throw await mainlineMissing(repository, merge, signal);
  throw gitFailure(repository, result, [command]);
}

async function mainlineMissing(repository: Repository, merge: string, signal?: AbortSignal): Promise<GitError> {
  const { stdout } = await repository.read({ args: ["rev-list", "--parents", "--no-walk", merge, "--"], signal });
  const [, ...parents] = stdout.toString().trim().split(" ");
  const choices = parents.map((parent, at) => `${at + 1} for ${parent}`).join(", ");
  return new GitError(
    "invalid",
    `${merge} is a merge: repeat the call with mainline, the number of the parent whose side stays: ${choices}.`,
  );
}
