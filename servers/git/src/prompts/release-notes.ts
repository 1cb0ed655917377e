// A prompt to write release notes for what lies between two revisions.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository, completeRevision } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object, word } from "../schema.ts";
import { history, opened } from "./material.ts";

export const releaseNotes = (parts: Parts) =>
  prompt({
    name: "release_notes",
    title: "Write release notes",
    description: "Write release notes for the commits from one revision to another.",
    args: () =>
      object({
        repo: maybe("Repository path or name"),
        from: word("Last release: a tag or commit"),
        to: maybe("This release, HEAD unless given"),
      }),
    complete: { repo: completeRepository(parts), from: completeRevision(parts), to: completeRevision(parts) },
    async get({ repo, from, to = "HEAD" }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const commits = await history(parts, repository, { revision: `${from}..${to}` }, ctx);
      return [
        user(
          `Write release notes for ${repository.name}, for the people who use it: what is new, what is fixed, what they have to change; no internal matters. The commits from ${from} to ${to} follow; look into those that are not plain with git_show.\n\n${commits}`,
        ),
      ];
    },
  });
