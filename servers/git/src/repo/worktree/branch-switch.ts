// Switches the work tree to a branch, or to a commit without a branch.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import { listRefNames, suggestNames } from "../refs/ref-list.ts";
import { resolveCommit } from "../refs/revision-resolver.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";
import { refuseUnfilteredWrites, wholeTree } from "../safety/filter-check.ts";
import { requireReadableRef } from "../safety/git-directory/ref-files.ts";

export interface SwitchOptions {
  readonly create: boolean;
  /** Checks out the commit of the branch, without the branch. */
  readonly detach: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SwitchResult {
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  readonly head: string | undefined;
}

export async function switchTo(repository: Repository, name: string, options: SwitchOptions): Promise<SwitchResult> {
  repository.requireWorkTree();
  const { args: target, commit } = await resolveTarget(repository, name, options);
  if (commit !== undefined) {
    const from = await repository.headCommit(options.signal);
    const write = from === undefined ? wholeTree(commit) : { operands: [from, commit], commit };
    await refuseUnfilteredWrites(repository, [write], options.signal);
  }
  const args = ["checkout", "--no-recurse-submodules", "--no-progress", ...target];
  const result = await repository.tryChange({ args, signal: options.signal });
  if (/already (?:checked out|used by worktree)/.test(result.stderr)) throw inAnotherWorktree(name);
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  const { branch } = repository.head();
  return { branch, head: await repository.headCommit(options.signal) };
}

/** The message does not name the other work tree: it may lie outside the sandbox. */
export const inAnotherWorktree = (branch: string): GitError =>
  new GitError(
    "conflict",
    `Branch "${clip(branch)}" is checked out in another work tree: choose another branch, or pass create with a new name.`,
  );

interface SwitchTarget {
  readonly args: readonly string[];
  /** Undefined where the work tree stays as it is. */
  readonly commit?: string;
}

async function resolveTarget(repository: Repository, name: string, { create, detach, signal }: SwitchOptions): Promise<SwitchTarget> {
  if (create) {
    checkRefName(name, "branch");
    await repository.headCommit(signal);
    return { args: ["--no-track", "-b", name] };
  }
  const detached = async (): Promise<SwitchTarget> => {
    const commit = await resolveCommit(repository, name, signal);
    return { args: ["--detach", commit], commit };
  };
  if (detach) return detached();
  if (name === "") throw new GitError("invalid", "branch_name is empty: give a branch, a tag or a commit.");
  const branch = await findCommit(repository, `refs/heads/${name}`, signal);
  if (branch !== undefined) {
    requireReadableRef(repository.state, name);
    return { args: [name, "--"], commit: branch };
  }
  if (!/^[\w./-]+$/.test(name) || (await findCommit(repository, name, signal)) !== undefined) return detached();
  // git creates the branch from the one remote that has it.
  const remoteBranches = await listRefNames(repository, signal, ["refs/remotes"]);
  const remote = remoteBranches.find((ref) => ref.slice(ref.indexOf("/") + 1) === name);
  const start = remote && (await findCommit(repository, `refs/remotes/${remote}`, signal));
  if (start !== undefined) return { args: [name, "--"], commit: start };
  const near = suggestNames(name, await listRefNames(repository, signal));
  const hint = near.length > 0 ? `did you mean ${near.map((one) => `"${one}"`).join(", ")}?` : "git_branch lists the branches.";
  throw new GitError("not-found", `There is no branch "${clip(name)}": ${hint} To create it, pass create.`);
}

async function findCommit(repository: Repository, name: string, signal?: AbortSignal): Promise<string | undefined> {
  const found = name.includes("\n") ? "missing" : await repository.object(name, undefined, signal);
  return typeof found === "string" ? undefined : found.oid;
}
