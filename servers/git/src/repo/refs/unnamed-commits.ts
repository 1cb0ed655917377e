// Commits that a branch loses, or that no branch, tag or remote branch has: git forgets these in time once HEAD leaves them.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { addNotice } from "../messages/notices.ts";
import type { Repository } from "../repository.ts";
import { linesOf } from "./ref-list.ts";
import { currentOperation } from "../worktree/operation.ts";

const MAX_NAMED = 5;

/** After a branch has moved: adds a notice where other branches or tags still name commits that it does not have any more. */
export async function noticeLeftRefs(
  repository: Repository,
  { from, to }: { readonly from: string | undefined; readonly to: string },
  signal?: AbortSignal,
): Promise<void> {
  if (from === undefined || from === to) return;
  const range = [`--merged=${from}`, `--no-merged=${to}`, `--count=${MAX_NAMED + 1}`, "--format=%(refname:short)"];
  const { exitCode, stdout } = await repository.tryRead({
    args: ["for-each-ref", ...range, "refs/heads", "refs/tags", "refs/remotes"],
    signal,
  });
  const names = linesOf(stdout).map(escapeControls);
  if (exitCode !== 0 || names.length === 0) return;
  const listed = names.slice(0, MAX_NAMED).join(", ") + (names.length > MAX_NAMED ? ", …" : "");
  addNotice(`[${listed} still ${names.length === 1 ? "points" : "point"} to commits that left this branch]`);
}

/** After commits were made: adds a notice where HEAD is detached, so that only HEAD has them. A rebase brings them to its branch. */
export async function noticeDetachedCommits(repository: Repository, signal?: AbortSignal): Promise<void> {
  if (repository.head().branch !== undefined || ["rebase", "am"].includes(currentOperation(repository) ?? "")) return;
  if ((await repository.tryRead({ args: ["symbolic-ref", "--quiet", "HEAD"], signal })).exitCode === 0) return;
  const head = await repository.headCommit(signal);
  if (head !== undefined) await noticeUnnamedCommits(repository, head, "HEAD is detached:", signal);
}

/** Adds a notice where no branch or tag has the commit. `start`: the beginning of the notice. */
export async function noticeUnnamedCommits(repository: Repository, commit: string, start: string, signal?: AbortSignal): Promise<void> {
  const args = ["rev-list", "--count", commit, "--not", "--branches", "--tags", "--remotes", "--"];
  const { exitCode, stdout } = await repository.tryRead({ args, signal });
  const count = Number(stdout.toString());
  if (exitCode !== 0 || count === 0) return;
  const [verb, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  addNotice(
    `[${start} ${counted(count, "commit")} ${verb} on no branch or tag. git_create_branch with base_branch ${commit} keeps ${them}]`,
  );
}
