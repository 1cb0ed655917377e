// git_pull: fetches a branch from a remote and integrates it.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { pullFrom } from "../../repo/remote/pull.ts";
import { integrationResult } from "../../repo/worktree/integration/integration.ts";
import { choice, object, optionalWord, repo_path, z } from "../../schema.ts";
import { integrationOutput, integrationReply } from "../integrate/integration-reply.ts";

export const gitPull = (deps: Dependencies) =>
  tool({
    name: "git_pull",
    title: "Pull",
    description: "Fetch a branch from a remote and bring it into the current one. Stops at conflicts and names them.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: optionalWord("Its name"),
        branch: optionalWord("Its branch"),
        how: z._default(choice(["ff-only", "merge", "rebase"], "Fast-forward only, merge, or rebase"), "ff-only"),
      }),
    output: integrationOutput,
    // `rebase` replaces commits.
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run({ repo_path: repoPath, remote, branch, how: strategy }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const report = (done: number, message: string): void => ctx.progress(done, undefined, message);
      const policies = { network: deps.network, programs: deps };
      const pulled = await pullFrom(repository, policies, { remote, branch, strategy, report, signal: ctx.signal });
      const outcome = await integrationResult(repository, "pull", "start", pulled, ctx.signal);
      // git's summary of the fetch is left out.
      return integrationReply("Pull", { ...outcome, message: "" });
    },
  });
