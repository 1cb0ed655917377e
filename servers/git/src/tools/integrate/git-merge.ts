// git_merge: bring another branch in.
import { tool } from "@oarlock/server-kit";
import { GitError, clip } from "../../repo/errors.ts";
import { integrate, mustBeUnderWay } from "../../repo/worktree/integration.ts";
import { integrateReply, integrateResult, step } from "./integration-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, maybe, object, repo_path, text, z } from "../../schema.ts";

export const gitMerge = (parts: Parts) =>
  tool({
    name: "git_merge",
    title: "Merge",
    description: "Merge a branch or commit into the current branch. Stops at conflicts and names them with their lines.",
    toolset: "integrate",
    input: () =>
      object({
        repo_path,
        revision: maybe("What to merge"),
        ff: z._default(choice(["auto", "only", "no"], "Fast-forward where it can, only so, or never"), "auto"),
        message: z.optional(text("Message of the merge commit")),
        step: step(),
      }),
    output: integrateResult,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: where, revision, ff, message, step: at }, ctx) {
      const repository = await opened(parts, ctx, where);
      if (at === "skip") throw new GitError("invalid", "A merge has nothing to skip: continue or abort it.");
      let args: string[] = [];
      if (at === "start") {
        if (revision === undefined) throw new GitError("invalid", "revision is missing: what to merge.");
        const commit = await repository.commit(revision, ctx.signal);
        const ways = { auto: "--ff", only: "--ff-only", no: "--no-ff" } as const;
        const words = message ?? `Merge '${clip(revision)}'`;
        args = [
          "--no-edit",
          "--no-stat",
          "--no-autostash",
          "--no-verify-signatures",
          ways[ff],
          ...(ff === "only" ? [] : [`--message=${words}`]),
          commit,
        ];
      } else if (at === "abort") {
        mustBeUnderWay(repository, "merge");
        await mayDiscard(parts, ctx, `Give up the merge in ${repository.name}, with what was resolved so far`);
      }
      return integrateReply("Merge", await integrate(repository, "merge", at, args, parts, ctx.signal));
    },
  });
