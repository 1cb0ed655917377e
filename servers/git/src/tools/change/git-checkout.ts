// git_checkout: switches to a branch, or to any commit.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { switchTo } from "../../repo/worktree/branch-switch.ts";
import { flag, object, repo_path, result, word, z } from "../../schema.ts";

export const gitCheckout = (deps: Dependencies) =>
  tool({
    name: "git_checkout",
    title: "Switch branch",
    description: "Switch to a branch. Fails when changes would be lost.",
    input: () =>
      object({
        repo_path,
        branch_name: word("Branch, tag or commit"),
        create: flag("Create it here"),
        detach: flag("Only its commit, detached"),
      }),
    output: () => result({ branch: z.optional(z.string()), head: z.optional(z.string()) }),
    // `HEAD~1` goes back once more with each call.
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, branch_name: name, create, detach }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const { branch, head } = await switchTo(repository, name, { create, detach, signal: ctx.signal });
      return {
        content:
          branch === undefined
            ? `HEAD is now at ${head ?? "nothing"} ('${escapeControls(name)}', no branch)`
            : `Switched to branch '${escapeControls(branch)}'`,
        structured: { ...(branch !== undefined && { branch }), ...(head !== undefined && { head }) },
      };
    },
  });
