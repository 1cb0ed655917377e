// The actions of git_branch that change branches.
import type { InteractiveContext } from "@oarlock/server-kit";
import { counted, escapeControls } from "@oarlock/domain-kit";
import { COMMITS_STAY, confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { countUnmerged, deleteBranch, renameBranch, resolveBranch } from "../../repo/refs/branches.ts";
import type { Repository } from "../../repo/repository.ts";

/** Deletes a local branch. Asks the user before commits are lost that no other branch or tag has. */
export async function removeBranch(deps: Dependencies, repository: Repository, name: string, ctx: InteractiveContext) {
  const hash = await resolveBranch(repository, name, ctx.signal);
  const escaped = escapeControls(name);
  if ((await deleteBranch(repository, name, false, ctx.signal)) === "unmerged") {
    const count = await countUnmerged(repository, name, hash, ctx.signal);
    const act = `Delete the branch ${name} of the repository ${repository.name} with ${counted(count, "commit")} that no other branch or tag has`;
    if (count > 0) await confirmDiscard(deps, ctx, act, { outcome: COMMITS_STAY });
    // The user confirmed this state of the branch.
    if ((await resolveBranch(repository, name, ctx.signal)) !== hash)
      throw new GitError("conflict", `Not deleted: branch "${escaped}" has moved meanwhile. Look at it again with git_log.`);
    await deleteBranch(repository, name, true, ctx.signal);
  }
  return {
    content: `Deleted branch '${escaped}' (was ${hash}); git_create_branch with base_branch ${hash} brings it back`,
    structured: { name, hash },
  };
}

/** Renames a local branch, the current one by default, with its upstream and reflog. */
export async function rename(repository: Repository, given: string | undefined, name: string | undefined, signal: AbortSignal) {
  if (name === undefined) throw new GitError("invalid", "new_name is missing: give the new name of the branch.");
  const from = given ?? repository.head().branch;
  if (from === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to rename in name.");
  await renameBranch(repository, from, name, signal);
  return { content: `Renamed branch '${escapeControls(from)}' to '${escapeControls(name)}'`, structured: { name, from } };
}
