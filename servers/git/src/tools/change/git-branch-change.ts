// git_delete_branch and git_rename_branch.
import { tool } from "@oarlock/server-kit";
import { counted, escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { countUnmerged, deleteBranch, renameBranch, resolveBranch } from "../../repo/refs/branches.ts";
import { object, optionalWord, repo_path, result, word, z } from "../../schema.ts";

export const gitDeleteBranch = (deps: Dependencies) =>
  tool({
    name: "git_delete_branch",
    title: "Delete branch",
    description: "Delete a local branch; one with commits that are not merged after the user confirmed.",
    input: () => object({ repo_path, branch_name: word("Branch") }),
    output: () => result({ hash: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, branch_name: name }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const hash = await resolveBranch(repository, name, ctx.signal);
      const escaped = escapeControls(name);
      if ((await deleteBranch(repository, name, false, ctx.signal)) === "unmerged") {
        const count = await countUnmerged(repository, name, hash, ctx.signal);
        const commits = count === 0 ? "" : ` with ${counted(count, "commit")} that no other branch or tag has`;
        await confirmDiscard(deps, ctx, `Delete the branch ${name} of ${repository.name}${commits}`);
        // The user confirmed this state of the branch.
        if ((await resolveBranch(repository, name, ctx.signal)) !== hash)
          throw new GitError("conflict", `Not deleted: branch "${escaped}" has moved meanwhile. Look at it again with git_log.`);
        await deleteBranch(repository, name, true, ctx.signal);
      }
      return {
        content: `Deleted branch '${escaped}' (was ${hash}); git_create_branch with base_branch ${hash} brings it back`,
        structured: { name, hash },
      };
    },
  });

export const gitRenameBranch = (deps: Dependencies) =>
  tool({
    name: "git_rename_branch",
    title: "Rename branch",
    description: "Rename a local branch, with its upstream and reflog.",
    input: () => object({ repo_path, new_name: word("New name"), branch_name: optionalWord("Branch, default the current one") }),
    output: () => result({ name: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, branch_name: given, new_name: name }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const from = given ?? repository.head().branch;
      if (from === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to rename in branch_name.");
      await renameBranch(repository, from, name, ctx.signal);
      return { content: `Renamed branch '${escapeControls(from)}' to '${escapeControls(name)}'`, structured: { name, from } };
    },
  });
