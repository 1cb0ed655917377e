// A prompt to resolve the conflicts of a merge or the like.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { shown } from "../repo/text/file-names.ts";
import { statusOf } from "../repo/worktree/status.ts";
import { maybe, object } from "../schema.ts";
import { changes, opened } from "./material.ts";

export const resolveConflicts = (parts: Parts) =>
  prompt({
    name: "resolve_conflicts",
    title: "Resolve conflicts",
    description: "Resolve the conflicts of a merge, rebase or the like that is under way.",
    args: () => object({ repo: maybe("Repository path or name") }),
    complete: { repo: completeRepository(parts) },
    async get({ repo }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const { conflicts, operation } = await statusOf(repository, 500, ctx.signal);
      if (conflicts.length === 0)
        return `No file of ${repository.name} is in conflict${operation === undefined ? "" : `, but a ${operation} is under way: look at git_status, and finish it`}. Say so.`;
      const diff = await changes(parts, repository, { compare: ["diff", "--diff-filter=U"], range: "unstaged" }, ctx);
      const names = conflicts.map(({ path, status }) => `- ${shown(path)} (${status})`).join("\n");
      return [
        user(
          `A ${operation ?? "merge"} is under way in ${repository.name} and these files are in conflict:\n${names}\n\nFor each, find out what either side meant (git_log, git_blame, git_show), and propose a content that keeps both meanings, without markers. When I agree, write it, stage it with git_add, and go on.`,
        ),
        ...(diff === undefined ? [] : [diff]),
      ];
    },
  });
