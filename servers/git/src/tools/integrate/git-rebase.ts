// git_rebase: puts the commits of the current branch on top of another.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { writesOfRebase } from "../../repo/worktree/integration/integration.ts";
import { object, optionalWord, repo_path } from "../../schema.ts";
import { integrationOutput, runIntegration, stepArgument } from "./integration-reply.ts";

const REBASE_OPTIONS = ["--no-autostash", "--no-autosquash", "--no-stat", "--no-rebase-merges"];

export const gitRebase = (deps: Dependencies) =>
  tool({
    name: "git_rebase",
    title: "Rebase",
    description: "Put the commits of the current branch on top of another branch or commit. Stops at conflicts and names them.",
    toolset: "integrate",
    input: () =>
      object({
        repo_path,
        upstream: optionalWord("On top of this, without the commits it has"),
        onto: optionalWord("On top of this instead of upstream"),
        step: stepArgument(),
      }),
    output: integrationOutput,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, upstream, onto, step }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const start = async () => {
        if (upstream === undefined) throw new GitError("invalid", "upstream is missing: give the branch or commit to rebase on.");
        const base = await resolveCommit(repository, upstream, ctx.signal);
        const target = onto === undefined ? base : await resolveCommit(repository, onto, ctx.signal);
        const args = [...REBASE_OPTIONS, ...(onto === undefined ? [] : [`--onto=${target}`]), base];
        return { args, writes: await writesOfRebase(repository, { upstream: base, onto: target }, ctx.signal) };
      };
      return runIntegration(deps, ctx, repository, { title: "Rebase", kind: "rebase", step, start });
    },
  });
