// Switches the work tree to a branch, or to a commit without a branch.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import { listRefNames, suggestNames } from "../refs/ref-list.ts";
import { resolveCommit } from "../refs/revision-resolver.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";

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
  const args = ["checkout", "--no-recurse-submodules", "--quiet", ...(await targetArguments(repository, name, options))];
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

async function targetArguments(repository: Repository, name: string, { create, detach, signal }: SwitchOptions): Promise<string[]> {
  if (create) {
    checkRefName(name, "branch");
    return ["--no-track", "-b", name];
  }
  if (detach) return ["--detach", await resolveCommit(repository, name, signal)];
  if (name === "") throw new GitError("invalid", "branch_name is empty: give a branch, a tag or a commit.");
  if (await exists(repository, `refs/heads/${name}`, signal)) return [name, "--"];
  if (!/^[\w./-]+$/.test(name) || (await exists(repository, name, signal)))
    return ["--detach", await resolveCommit(repository, name, signal)];
  // git creates the branch from the one remote that has it.
  const remoteBranches = await listRefNames(repository, signal, ["refs/remotes"]);
  if (remoteBranches.some((ref) => ref.slice(ref.indexOf("/") + 1) === name)) return [name, "--"];
  const near = suggestNames(name, await listRefNames(repository, signal));
  const hint = near.length > 0 ? `did you mean ${near.map((one) => `"${one}"`).join(", ")}?` : "git_branch lists the branches.";
  throw new GitError("not-found", `There is no branch "${clip(name)}": ${hint} To create it, pass create.`);
}

const exists = async (repository: Repository, name: string, signal?: AbortSignal): Promise<boolean> =>
  !name.includes("\n") && typeof (await repository.object(name, undefined, signal)) !== "string";
