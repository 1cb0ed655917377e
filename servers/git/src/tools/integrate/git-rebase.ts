// git_rebase: put the commits of the current branch on top of another.
import { tool } from "@oarlock/server-kit";
import { GitError } from "../../repo/errors.ts";
import { integrate, mustBeUnderWay } from "../../repo/worktree/integration.ts";
import { integrateReply, integrateResult, step } from "./integration-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { maybe, object, repo_path } from "../../schema.ts";

export const gitRebase = (parts: Parts) =>
  tool({
    name: "git_rebase",
    title: "Rebase",
    description: "Put the commits of the current branch on top of another branch or commit. Stops at conflicts and names them.",
    toolset: "integrate",
    input: () =>
      object({
        repo_path,
        upstream: maybe("On top of this; also: leave out what it has"),
        onto: maybe("On top of this instead of upstream"),
        step: step(),
      }),
    output: integrateResult,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: where, upstream, onto, step: at }, ctx) {
      const repository = await opened(parts, ctx, where);
      let args: string[] = [];
      if (at === "start") {
        if (upstream === undefined) throw new GitError("invalid", "upstream is missing: what to rebase on.");
        const base = await repository.commit(upstream, ctx.signal);
        const top = onto === undefined ? undefined : await repository.commit(onto, ctx.signal);
        args = [
          "--no-autostash",
          "--no-autosquash",
          "--no-stat",
          "--no-update-refs",
          "--no-rebase-merges",
          ...(top === undefined ? [] : [`--onto=${top}`]),
          base,
        ];
      } else if (at === "abort") {
        mustBeUnderWay(repository, "rebase");
        await mayDiscard(parts, ctx, `Give up the rebase in ${repository.name}, with what was resolved so far`);
      }
      return integrateReply("Rebase", await integrate(repository, "rebase", at, args, parts, ctx.signal));
    },
  });
