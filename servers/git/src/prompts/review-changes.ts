// A prompt to review changes: those against a revision, or what is not committed.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository, completeRevision } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object } from "../schema.ts";
import { changes, opened } from "./material.ts";

export const reviewChanges = (parts: Parts) =>
  prompt({
    name: "review_changes",
    title: "Review changes",
    description: "Review what this branch changed since it left target, or what is not committed.",
    args: () =>
      object({
        repo: maybe("Repository path or name"),
        target: maybe("Branch or commit to compare with; without it: HEAD and the work tree"),
      }),
    complete: { repo: completeRepository(parts), target: completeRevision(parts) },
    async get({ repo, target }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const head = await repository.headCommit(ctx.signal);
      const wanted =
        target === undefined
          ? [
              { compare: ["diff", "--cached"], range: "staged" },
              { compare: ["diff"], range: "unstaged" },
            ]
          : [{ compare: ["diff", "--merge-base", await repository.commit(target, ctx.signal), head ?? "HEAD"], range: `${target}...HEAD` }];
      const found = [];
      for (const one of wanted) {
        const message = await changes(parts, repository, one, ctx);
        if (message !== undefined) found.push(message);
      }
      if (found.length === 0)
        return `There is nothing to review in ${repository.name}${target === undefined ? ": nothing has changed since the last commit" : ` against ${target}`}. Say so.`;
      return [
        user(
          "Review the changes below as a careful colleague: mistakes first, with file and line, then what is missing (tests, documentation), then style where it matters. Say so if all is well. Read more of the code with git_show, git_grep and git_blame before you judge.",
        ),
        ...found,
      ];
    },
  });
