// git_cherry_pick and git_revert: apply commits again, or undo them by new commits.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import type { Repository } from "../../repo/repository.ts";
import type { TreeWrite } from "../../repo/safety/filter-check.ts";
import { count, flag, object, repo_path, word, z } from "../../schema.ts";
import { integrationOutput, runIntegration, stepArgument } from "./integration-reply.ts";

/** The operating system limits the length of a command line. */
const MAX_REVISIONS = 1000;

interface PickSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "cherry-pick" | "revert";
}

const pickTool =
  ({ name, title, description, kind }: PickSpec) =>
  (deps: Dependencies) =>
    tool({
      name,
      title,
      description,
      toolset: "integrate",
      input: () =>
        object({
          repo_path,
          revisions: z._default(z.array(word("A commit")), []).check(z.describe("Commits in the order to take them")),
          no_commit: flag("Only change the files"),
          mainline: count("For merges: which parent counts, from 1"),
          step: stepArgument(),
        }),
      output: integrationOutput,
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      async run({ repo_path: repoPath, revisions, no_commit: noCommit, mainline, step }, ctx) {
        const repository = await openRepository(deps, ctx, repoPath);
        const start = async () => {
          const commits = await resolveAll(repository, revisions, ctx.signal);
          const options = [...(noCommit ? ["--no-commit"] : []), ...(mainline === undefined ? [] : [`--mainline=${mainline}`])];
          return { args: ["--no-edit", ...options, ...commits], writes: commits.map((commit) => writeOf(kind, commit, mainline)) };
        };
        return runIntegration(deps, ctx, repository, { title, kind, step, start });
      },
    });

/** The changes of a commit, or their reverse. */
function writeOf(kind: PickSpec["kind"], commit: string, mainline = 1): TreeWrite {
  const parent = `${commit}^${mainline}`;
  return { operands: kind === "revert" ? [commit, parent] : [parent, commit], commit };
}

/** Resolves one after another and stops at the first unknown one: the search for similar names is slow. */
async function resolveAll(repository: Repository, revisions: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (revisions.length === 0) throw new GitError("invalid", "revisions is missing: give the commits.");
  if (revisions.length > MAX_REVISIONS)
    throw new GitError("invalid", `Too many revisions: expected at most ${MAX_REVISIONS}, got ${revisions.length}. Use several calls.`);
  const commits: string[] = [];
  for (const revision of revisions) commits.push(await resolveCommit(repository, revision, signal));
  return commits;
}

export const gitCherryPick = pickTool({
  name: "git_cherry_pick",
  title: "Cherry-pick",
  description: "Apply commits of other branches here. Stops at conflicts and names them.",
  kind: "cherry-pick",
});

export const gitRevert = pickTool({
  name: "git_revert",
  title: "Revert",
  description: "Undo commits by new ones. Stops at conflicts and names them.",
  kind: "revert",
});
