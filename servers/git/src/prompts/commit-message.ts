// The prompt commit_message: a message for what is staged.
import { prompt, user } from "@oarlock/server-kit";
import { draftInstructions } from "../commit-draft.ts";
import { completeRepository } from "../completion.ts";
import { openRepository, type Dependencies } from "../dependencies.ts";
import { object, optionalWord } from "../schema.ts";
import { patchMessage, recentCommits, STAGED, UNSTAGED } from "./material.ts";

export const commitMessage = (deps: Dependencies) =>
  prompt({
    name: "commit_message",
    title: "Write a commit message",
    description: "Write a commit message for the staged changes.",
    args: () => object({ repo: optionalWord("Repository path or name") }),
    complete: { repo: completeRepository(deps) },
    async get({ repo }, ctx) {
      const repository = await openRepository(deps, ctx, repo);
      const staged = await patchMessage(deps, repository, STAGED, ctx.signal);
      if (staged !== undefined) {
        const history = await recentCommits(deps, repository, { revision: "HEAD" }, ctx.signal);
        return [user(draftInstructions(history)), staged];
      }
      const unstaged = repository.state.isBare ? undefined : await patchMessage(deps, repository, UNSTAGED, ctx.signal);
      const where = unstaged === undefined ? "(git_status lists them)" : "below";
      const advice = `Nothing is staged in ${repository.name}. Tell me which of the changes ${where} belong into one commit, stage them with git_add when I agree, and then write its message.`;
      return [user(advice), ...(unstaged === undefined ? [] : [unstaged])];
    },
  });
