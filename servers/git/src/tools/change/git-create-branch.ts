// git_create_branch: a new branch at a revision.
import { tool } from "@oarlock/server-kit";
import { createBranch, switchTo } from "../../repo/refs/branches.ts";
import { GitError } from "../../repo/errors.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { flag, maybe, object, repo_path, result, word, z } from "../../schema.ts";

export const gitCreateBranch = (parts: Parts) =>
  tool({
    name: "git_create_branch",
    title: "Create branch",
    description: "Create a branch, from base_branch or the current one.",
    input: () =>
      object({
        repo_path,
        branch_name: word("Name of the new branch"),
        base_branch: maybe("Branch, tag or commit to start from"),
        checkout: flag("Switch to it"),
      }),
    output: () => result({ name: z.string(), from: z.string(), head: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: path, branch_name: name, base_branch: base, checkout }, ctx) {
      const repository = await opened(parts, ctx, path);
      const head = base === undefined ? await repository.headCommit(ctx.signal) : await repository.commit(base, ctx.signal);
      if (head === undefined)
        throw new GitError("invalid", "There are no commits yet to begin a branch at; git_checkout with create names the first one.");
      const from = base ?? repository.head().branch ?? head;
      await createBranch(repository, name, head, ctx.signal);
      if (checkout) await switchTo(repository, name, { create: false, detach: false, signal: ctx.signal });
      return {
        content: `Created branch '${name}' from '${from}'${checkout ? `\nSwitched to branch '${name}'` : ""}`,
        structured: { name, from, head, checkedOut: checkout },
      };
    },
  });
