// A prompt to word the message for what is staged.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository } from "../completion.ts";
import { wording } from "../commit-draft.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object } from "../schema.ts";
import { changes, history, opened, STAGED } from "./material.ts";

export const commitMessage = (parts: Parts) =>
  prompt({
    name: "commit_message",
    title: "Word a commit message",
    description: "Write a commit message for what is staged.",
    args: () => object({ repo: maybe("Repository path or name") }),
    complete: { repo: completeRepository(parts) },
    async get({ repo }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const staged = await changes(parts, repository, STAGED, ctx);
      if (staged === undefined) {
        const unstaged = repository.facts.bare
          ? undefined
          : await changes(parts, repository, { compare: ["diff"], range: "unstaged" }, ctx);
        const advice = `Nothing is staged in ${repository.name}. Say which of the changes${unstaged === undefined ? " (git_status lists them)" : " below"} belong into one commit, stage them with git_add when I agree, and then write its message.`;
        return [user(advice), ...(unstaged === undefined ? [] : [unstaged])];
      }
      const recent = await history(parts, repository, { revision: "HEAD" }, ctx);
      return [user(wording(recent)), staged];
    },
  });
