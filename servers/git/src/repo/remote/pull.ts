// git pull: fetches, then integrates.
import { GitError } from "../errors.ts";
import { withLocks } from "../process/command-queue.ts";
import { lastValue } from "../process/config-list.ts";
import { requireUnlocked } from "../process/git-failure.ts";
import type { GitResult } from "../process/git-process.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";
import { refuseUnfilteredWrites, type TreeWrite } from "../safety/filter-check.ts";
import { committerIdentity } from "../worktree/committer-identity.ts";
import { programSettings, type ProgramPolicy } from "../worktree/hooks-and-signing.ts";
import { requireNoOperation, writesOfMerge, writesOfRebase } from "../worktree/integration/integration.ts";
import { networkEnvironment, type NetworkPolicy } from "./network.ts";
import { selectRemote } from "./remotes.ts";
import { runTransfer, transferFailure, type TransferOptions } from "./transfer.ts";

export type PullStrategy = "ff-only" | "merge" | "rebase";

export interface PullOptions extends TransferOptions {
  readonly branch?: string | undefined;
  readonly strategy: PullStrategy;
}

const STRATEGY_OPTIONS: Readonly<Record<PullStrategy, readonly string[]>> = {
  // Older versions of git follow pull.rebase even then.
  "ff-only": ["--no-rebase", "--ff-only"],
  merge: ["--no-rebase", "--no-edit"],
  rebase: ["--rebase"],
};

const UNMERGED = /^(?:DD|AU|UD|UA|DU|AA|UU) /;

/** Returns the result of git, which may have stopped at conflicts. Throws for any other failure. */
export async function pullFrom(
  repository: Repository,
  policies: { readonly network: NetworkPolicy; readonly programs: ProgramPolicy },
  options: PullOptions,
): Promise<GitResult> {
  const { strategy, signal } = options;
  repository.requireWorkTree();
  // Checked before the fetch too: a pull over a foreign lock fails after all of the transfer.
  await withLocks(repository.state.commonDir, ["index"], async () => requireUnlocked(repository), signal);
  const remote = selectRemote(repository, options.remote, policies.network.protocols);
  if (options.branch !== undefined) checkRefName(options.branch, "branch");
  const network = networkEnvironment(repository, policies.network);
  const programs = programSettings(repository, policies.programs);
  const branch = options.branch ?? defaultBranch(repository);
  const identity = strategy === "ff-only" ? {} : committerIdentity(repository, policies.programs.env);
  const common = ["--progress", "--no-recurse-submodules"];
  const pull = ["pull", ...common, "--no-autostash", ...STRATEGY_OPTIONS[strategy], ...fastForward(repository, strategy)];
  await requireReadyToIntegrate(repository, pull, strategy, signal);
  // A pull holds the index queue, so the long part of its work, the transfer, is done before as a fetch.
  const fetch = ["fetch", ...common, "--no-auto-maintenance", "--", remote.name, branch];
  const fetched = await runTransfer(repository, fetch, options, network);
  if (fetched.exitCode !== 0) throw transferFailure(repository, fetched, "fetch");
  await refuseUnfilteredWrites(repository, await writesOf(repository, strategy, signal), signal);
  const environment = {
    settings: [...network.settings, ...programs.settings],
    env: { ...programs.env, ...network.env, ...identity },
  };
  const result = await runTransfer(repository, [...pull, "--", remote.name, branch], options, environment, {
    beforeStart: () => requireUnlocked(repository),
  });
  if (result.exitCode !== 0 && /Not possible to fast-forward|divergent branches/i.test(result.stderr))
    throw new GitError("conflict", `The branch and ${remote.name}/${branch} have diverged: pull with how merge or rebase.`);
  if (result.exitCode !== 0 && !/CONFLICT/.test(result.stdout.toString() + result.stderr))
    throw transferFailure(repository, result, "pull");
  return result;
}

/** With pull.ff = only, git refuses each merge, a requested one too. */
const fastForward = ({ ownSettings }: Repository, strategy: PullStrategy): readonly string[] =>
  strategy === "merge" && lastValue(ownSettings, "pull.ff") === "only" ? ["--ff"] : [];

/** Throws for what would stop git after the fetch, and is known before it. */
async function requireReadyToIntegrate(repository: Repository, args: readonly string[], strategy: PullStrategy, signal: AbortSignal) {
  requireNoOperation(repository);
  await repository.requireSafeChange({ args, signal });
  const status = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all"];
  const { stdout } = await repository.readWorkTree({ args: status, signal });
  const changes = stdout.toString("latin1").split("\0");
  if (changes.some((change) => UNMERGED.test(change)))
    throw new GitError(
      "conflict",
      "Files are in conflict: resolve those that git_status lists under conflicts, stage them with git_add, then pull again.",
    );
  if (strategy === "rebase" && changes.some((change) => change !== ""))
    throw new GitError(
      "conflict",
      "A rebase needs a work tree without changes: commit them, or put them aside with git_stash, then pull again.",
    );
}

/** What integrating the fetched commit writes. */
async function writesOf(repository: Repository, strategy: PullStrategy, signal: AbortSignal): Promise<TreeWrite[]> {
  const found = await repository.object("FETCH_HEAD", undefined, signal);
  if (typeof found === "string") return [];
  return strategy === "rebase"
    ? writesOfRebase(repository, { upstream: found.oid, onto: found.oid }, signal)
    : writesOfMerge(repository, found.oid, signal);
}

/** The upstream of the current branch, or the branch of the same name. */
function defaultBranch(repository: Repository): string {
  const { branch } = repository.head();
  if (branch === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to pull.");
  const upstream = repository.state.config.findLast(({ key }) => key === `branch.${branch}.merge`)?.value;
  const name = upstream?.replace(/^refs\/heads\//, "") ?? branch;
  checkRefName(name, "branch");
  return name;
}
