// git_create_branch: creates a branch at a revision.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { createBranch } from "../../repo/refs/branches.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { switchTo } from "../../repo/worktree/branch-switch.ts";
import { flag, object, optionalWord, repo_path, result, word, z } from "../../schema.ts";

export const gitCreateBranch = (deps: Dependencies) =>
  tool({
    name: "git_create_branch",
    title: "Create branch",
    description: "Create a branch.",
    input: () =>
      object({
        repo_path,
        branch_name: word("New branch"),
        base_branch: optionalWord("Branch or commit, default HEAD"),
        checkout: flag("Switch to it"),
      }),
    output: () => result({ name: z.string(), head: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, branch_name: name, base_branch: base, checkout }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const head = base === undefined ? await repository.headCommit(ctx.signal) : await resolveCommit(repository, base, ctx.signal);
      if (head === undefined)
        throw new GitError("invalid", "There are no commits yet to start a branch at: git_checkout with create names the first branch.");
      const from = base ?? repository.head().branch ?? head;
      await createBranch(repository, name, head, ctx.signal);
      if (checkout) await switchTo(repository, name, { create: false, detach: false, signal: ctx.signal });
      const escaped = escapeControls(name);
      return {
        content: `Created branch '${escaped}' from '${escapeControls(from)}'${checkout ? `\nSwitched to branch '${escaped}'` : ""}`,
        structured: { name, from, head, checkedOut: checkout },
      };
    },
  });
