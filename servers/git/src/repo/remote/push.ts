// git push.
import { clip, reportChange } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";
import { messageText } from "../text/file-names.ts";
import { programSettings, type ProgramPolicy } from "../worktree/hooks-and-signing.ts";
import { networkEnvironment, type NetworkPolicy } from "./network.ts";
import { withoutProgress } from "./progress-reader.ts";
import { selectRemote } from "./remotes.ts";
import { runTransfer, transferFailure, type RefUpdate, type TransferOptions } from "./transfer.ts";

export interface PushOptions extends TransferOptions {
  readonly branch?: string | undefined;
  /** Replaces the remote branch, but only while it is as it was last fetched (with lease). */
  readonly force: boolean;
  readonly setUpstream: boolean;
  readonly tags: boolean;
}

/** The branch to push: the given one or the current one. Throws where it does not exist. */
export async function selectBranch(repository: Repository, given: string | undefined, signal?: AbortSignal): Promise<string> {
  const branch = given ?? repository.head().branch;
  if (branch === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to push.");
  checkRefName(branch, "branch");
  const found = await repository.object(`refs/heads/${branch}`, undefined, signal);
  if (typeof found === "string")
    throw new GitError("not-found", `There is no branch "${clip(branch)}" to push: git_branch lists the branches.`);
  return branch;
}

export async function pushTo(
  repository: Repository,
  policies: { readonly network: NetworkPolicy; readonly programs: ProgramPolicy },
  options: PushOptions,
): Promise<{ remote: string; branch: string; updates: RefUpdate[] }> {
  const { force, setUpstream, tags, signal } = options;
  const remote = selectRemote(repository, options.remote, policies.network.protocols);
  const branch = await selectBranch(repository, options.branch, signal);
  const network = networkEnvironment(repository, policies.network);
  const programs = programSettings(repository, policies.programs);
  const args = [
    "push",
    "--porcelain",
    "--progress",
    "--no-recurse-submodules",
    "--no-signed",
    policies.programs.runHooks ? "--verify" : "--no-verify",
    ...(force ? ["--force-with-lease", "--force-if-includes"] : []),
    ...(setUpstream ? ["--set-upstream"] : []),
    ...(tags ? ["--follow-tags"] : []),
    "--",
    remote.name,
    `refs/heads/${branch}:refs/heads/${branch}`,
  ];
  const environment = { settings: [...network.settings, ...programs.settings], env: { ...programs.env, ...network.env } };
  const result = await runTransfer(repository, args, options, environment);
  const updates = parseUpdates(messageText(result.stdout));
  const rejected = updates.find((update) => update.rejected);
  if (rejected !== undefined) throw rejection(repository, rejected, result.stderr);
  if (result.exitCode !== 0) throw transferFailure(repository, result, "push");
  reportChange(updates.map(({ to }) => to));
  return { remote: remote.name, branch, updates };
}

/** Parses `*\trefs/heads/a:refs/heads/a\t[new branch]`. */
function parseUpdates(stdout: string): RefUpdate[] {
  return stdout.split("\n").flatMap((line) => {
    const [, flag, from = "", to = "", summary = ""] = /^([ +\-*!=])\t([^:\t]*):([^\t]*)\t(.*)$/.exec(line) ?? [];
    return flag === undefined ? [] : [{ summary: summary.replaceAll(/[[\]]/g, ""), from, to, rejected: flag === "!" }];
  });
}

function rejection(repository: Repository, { to, summary }: RefUpdate, stderr: string): GitError {
  const isBehind = /stale info|fetch first|non-fast-forward|remote ref updated/.test(summary);
  const nextStep = isBehind ? "Fetch, bring your commits on top (git_pull), then push again." : remoteMessage(repository, stderr);
  return new GitError("conflict", `The remote rejected ${to}: ${summary}. ${nextStep}`.trim());
}

/** The message of the remote itself, such as that of its hooks. */
function remoteMessage(repository: Repository, stderr: string): string {
  const lines = withoutProgress(stderr).split("\n");
  const message = lines.flatMap((line) => /^remote: (.*\S)/.exec(line)?.[1] ?? []).join("\n");
  return message === "" ? "" : `The remote says: ${readableMessage(repository.state, message)}`;
}
