// git_checkout: switch to a branch, or to any commit.
import { tool } from "@oarlock/server-kit";
import { switchTo } from "../../repo/refs/branches.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { flag, object, repo_path, result, word, z } from "../../schema.ts";

export const gitCheckout = (parts: Parts) =>
  tool({
    name: "git_checkout",
    title: "Switch branch",
    description: "Switch to a branch; changes that would be lost make it fail.",
    input: () =>
      object({
        repo_path,
        branch_name: word("Branch, tag or commit"),
        create: flag("Create it here"),
        detach: flag("Its commit, without the branch"),
      }),
    output: () => result({ branch: z.optional(z.string()), head: z.optional(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ repo_path: path, branch_name: name, create, detach }, ctx) {
      const repository = await opened(parts, ctx, path);
      const { branch, head } = await switchTo(repository, name, { create, detach, signal: ctx.signal });
      return {
        content: branch === undefined ? `HEAD is now at ${head ?? "nothing"} ('${name}', no branch)` : `Switched to branch '${branch}'`,
        structured: { ...(branch !== undefined && { branch }), ...(head !== undefined && { head }) },
      };
    },
  });
