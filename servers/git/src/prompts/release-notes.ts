// The prompt release_notes: notes for the commits between two revisions.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository, completeRevision } from "../completion.ts";
import { openRepository, type Dependencies } from "../dependencies.ts";
import { object, optionalWord, word } from "../schema.ts";
import { recentCommits } from "./material.ts";

export const releaseNotes = (deps: Dependencies) =>
  prompt({
    name: "release_notes",
    title: "Write release notes",
    description: "Write release notes for the commits from one revision to another.",
    args: () =>
      object({
        repo: optionalWord("Repository path or name"),
        from: word("Last release: a tag or commit"),
        to: optionalWord("This release, default HEAD"),
      }),
    complete: { repo: completeRepository(deps), from: completeRevision(deps), to: completeRevision(deps) },
    async get({ repo, from, to = "HEAD" }, ctx) {
      const repository = await openRepository(deps, ctx, repo);
      const commits = await recentCommits(deps, repository, { revision: `${from}..${to}` }, ctx.signal);
      return [
        user(
          `Write release notes for ${repository.name}, for its users: what is new, what is fixed, what they have to change; nothing internal. The commits from ${from} to ${to} follow; read those that are unclear with git_show.\n\n${commits}`,
        ),
      ];
    },
  });
