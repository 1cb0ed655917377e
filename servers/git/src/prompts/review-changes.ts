// The prompt review_changes: changes against a revision, or those that are not committed.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository, completeRevision } from "../completion.ts";
import { openRepository, type Dependencies } from "../dependencies.ts";
import { resolveCommit } from "../repo/refs/revision-resolver.ts";
import type { Repository } from "../repo/repository.ts";
import { object, optionalWord } from "../schema.ts";
import { patchMessage, STAGED, UNSTAGED, type Comparison } from "./material.ts";

const TASK =
  "Review the changes below as a careful colleague: mistakes first, with file and line, then what is missing (tests, documentation), then style where it matters. Say so if all is well. Read more of the code with git_show, git_grep and git_blame before you judge.";

export const reviewChanges = (deps: Dependencies) =>
  prompt({
    name: "review_changes",
    title: "Review changes",
    description: "Review the changes of this branch since it left target, or those that are not committed.",
    args: () =>
      object({
        repo: optionalWord("Repository path or name"),
        target: optionalWord("Branch or commit to compare with, default HEAD and the work tree"),
      }),
    complete: { repo: completeRepository(deps), target: completeRevision(deps) },
    async get({ repo, target }, ctx) {
      const repository = await openRepository(deps, ctx, repo);
      const comparisons = target === undefined ? [STAGED, UNSTAGED] : [await branchComparison(repository, target, ctx.signal)];
      const messages = [];
      for (const comparison of comparisons) messages.push((await patchMessage(deps, repository, comparison, ctx.signal)) ?? []);
      const changes = messages.flat();
      if (changes.length > 0) return [user(TASK), ...changes];
      const reason = target === undefined ? ": nothing has changed since the last commit" : ` against ${target}`;
      return `There is nothing to review in ${repository.name}${reason}. Tell me so.`;
    },
  });

async function branchComparison(repository: Repository, target: string, signal: AbortSignal): Promise<Comparison> {
  const head = (await repository.headCommit(signal)) ?? "HEAD";
  return { compare: ["diff", "--merge-base", await resolveCommit(repository, target, signal), head], range: `${target}...HEAD` };
}
