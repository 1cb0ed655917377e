// A prompt to word the message for what is staged.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository } from "../complete.ts";
import type { Parts } from "../parts.ts";
import { maybe, object } from "../schema.ts";
import { changes, history, opened } from "./material.ts";

export const commitMessage = (parts: Parts) =>
  prompt({
    name: "commit_message",
    title: "Word a commit message",
    description: "Write a commit message for what is staged.",
    args: () => object({ repo: maybe("Repository path or name") }),
    complete: { repo: completeRepository(parts) },
    async get({ repo }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const staged = await changes(parts, repository, { compare: ["diff", "--cached"], range: "staged" }, ctx);
      if (staged === undefined) {
        const unstaged = repository.facts.bare
          ? undefined
          : await changes(parts, repository, { compare: ["diff"], range: "unstaged" }, ctx);
        const advice = `Nothing is staged in ${repository.name}. Say which of the changes${unstaged === undefined ? " (git_status lists them)" : " below"} belong into one commit, stage them with git_add when I agree, and then write its message.`;
        return [user(advice), ...(unstaged === undefined ? [] : [unstaged])];
      }
      const recent = await history(parts, repository, { revision: "HEAD" }, ctx);
      return [
        user(
          `Write a commit message for the staged changes below: a subject of at most 72 characters that says what the commit does, then, where it is not plain, why. Follow the habits of the recent commits. Give the message only.\n\nRecent commits:\n${recent.split("\n").slice(0, 20).join("\n")}`,
        ),
        staged,
      ];
    },
  });
