// git_merge: merges another branch or commit.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { writesOfMerge } from "../../repo/worktree/integration/integration.ts";
import { mergeArguments } from "../../repo/worktree/integration/merge-arguments.ts";
import { choice, object, optionalWord, repo_path, text, z } from "../../schema.ts";
import { integrationOutput, runIntegration } from "./integration-reply.ts";

export const gitMerge = (deps: Dependencies) =>
  tool({
    name: "git_merge",
    title: "Merge",
    description: "Merge into the current branch. Stops at conflicts and names their lines.",
    input: () =>
      object({
        repo_path,
        revision: optionalWord("What to merge"),
        ff: z._default(choice(["auto", "only", "no"], "Fast-forward"), "auto"),
        message: z.optional(text("Commit message")),
        step: z._default(choice(["start", "continue", "abort"], "Begin, finish or go back"), "start"),
      }),
    output: integrationOutput,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, revision, ff, message, step }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const start = async () => {
        if (revision === undefined) throw new GitError("invalid", "revision is missing: give the branch or commit to merge.");
        const commit = await resolveCommit(repository, revision, ctx.signal);
        const args = await mergeArguments(repository, { revision, commit, ff, message }, ctx.signal);
        return { args, writes: await writesOfMerge(repository, commit, ctx.signal) };
      };
      return runIntegration(deps, ctx, repository, { title: "Merge", kind: "merge", step, start });
    },
  });
