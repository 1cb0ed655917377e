// What changes when an older commit is changed: the commit, all that come after it, and the refs that keep the old ones.
import { clip, counted } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { requireNoOperation } from "../worktree/integration/integration.ts";

export interface RewritePlan {
  readonly head: string;
  /** The commit to change, then those after it, parents first. */
  readonly commits: readonly string[];
  /** What is staged; undefined for nothing. */
  readonly patch: Buffer | undefined;
  /** Other branches and tags that keep the old commits. */
  readonly keepers: readonly string[];
}

const MAX_COMMITS = 200;
const MAX_KEEPERS = 100;
const PATCH_OPTIONS = ["--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short"];

/** Throws where the commit is not part of the current branch, or others may have it. */
export async function planRewrite(repository: Repository, target: string, signal?: AbortSignal): Promise<RewritePlan> {
  repository.requireWorkTree();
  requireNoOperation(repository);
  const head = await repository.headCommit(signal);
  const short = target.slice(0, 12);
  if (head === undefined || (await readIds(repository, ["--max-count=1", target, `^${head}`], signal)).length > 0)
    throw await elsewhere(repository, target, signal);
  const keepers = await otherKeepers(repository, target, signal);
  const after = await readIds(
    repository,
    ["--topo-order", "--reverse", "--ancestry-path", `--max-count=${MAX_COMMITS}`, head, `^${target}`],
    signal,
  );
  if (after.length >= MAX_COMMITS)
    throw new GitError(
      "too-large",
      `More than ${MAX_COMMITS} commits come after ${short}: make a new commit instead, or undo it with git_revert (toolset integrate).`,
    );
  return { head, commits: [target, ...after], patch: await stagedPatch(repository, signal), keepers };
}

async function elsewhere(repository: Repository, target: string, signal?: AbortSignal): Promise<GitError> {
  const [branch] = await refsWith(repository, target, ["refs/heads"], signal);
  const remedy =
    branch === undefined
      ? "git_log lists the commits that are."
      : `${clip(shortName(branch))} has it. Switch to that branch with git_checkout, or give the folder of its work tree (git_worktree) as repo_path.`;
  return new GitError("invalid", `Commit ${target.slice(0, 12)} is not part of the current branch: ${remedy}`);
}

/** Throws where a remote has the commit. */
async function otherKeepers(repository: Repository, target: string, signal?: AbortSignal): Promise<string[]> {
  // Remote branches apart, so that many others cannot push them out of the list.
  const [remote] = await refsWith(repository, target, ["refs/remotes"], signal);
  if (remote !== undefined)
    throw new GitError(
      "conflict",
      `Commit ${target.slice(0, 12)} is pushed: ${clip(shortName(remote))} has it, and others may. Make a new commit, or undo it with git_revert (toolset integrate).`,
    );
  const { branch } = repository.head();
  const own = branch === undefined ? undefined : `refs/heads/${branch}`;
  return (await refsWith(repository, target, ["refs/heads", "refs/tags"], signal)).filter((name) => name !== own).map(shortName);
}

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");

/** The full names of refs whose history holds a commit. */
async function refsWith(repository: Repository, commit: string, prefixes: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const args = ["for-each-ref", `--contains=${commit}`, `--count=${MAX_KEEPERS}`, "--format=%(refname)", ...prefixes];
  return linesOf((await repository.read({ args, signal })).stdout);
}

async function readIds(repository: Repository, args: readonly string[], signal?: AbortSignal): Promise<string[]> {
  return linesOf((await repository.read({ args: ["rev-list", ...args, "--"], signal })).stdout);
}

const linesOf = (output: Buffer): string[] =>
  output
    .toString()
    .split("\n")
    .filter((line) => line !== "");

async function stagedPatch(repository: Repository, signal?: AbortSignal): Promise<Buffer | undefined> {
  const { stdout, isTruncated } = await repository.read({ args: ["diff", "--cached", ...PATCH_OPTIONS], signal });
  if (isTruncated) throw new GitError("too-large", "What is staged is too large to change an older commit with. Stage less.");
  if (/^\* Unmerged path /m.test(stdout.toString("latin1")))
    throw new GitError(
      "conflict",
      "Files are in conflict: resolve those that git_status lists under conflicts, and stage them with git_add.",
    );
  return stdout.length === 0 ? undefined : stdout;
}

/** "commit abc and 2 commits after it" */
export const describeRewrite = ({ commits: [target = "", ...after] }: RewritePlan): string =>
  `commit ${target.slice(0, 12)}${after.length === 0 ? "" : ` and ${counted(after.length, "commit")} after it`}`;
