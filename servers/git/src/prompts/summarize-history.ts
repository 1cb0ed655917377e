// A prompt to sum up what happened lately.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { maybe, object } from "../schema.ts";
import { history, opened } from "./material.ts";

export const summarizeHistory = (parts: Parts) =>
  prompt({
    name: "summarize_history",
    title: "Sum up the history",
    description: "Sum up what happened in a repository since a date.",
    args: () =>
      object({ repo: maybe("Repository path or name"), since: maybe("A date, or words such as '2 weeks ago', which it is unless given") }),
    complete: {
      repo: completeRepository(parts),
      since: (typed) => ["1 week ago", "2 weeks ago", "1 month ago", "1 year ago"].filter((one) => one.startsWith(typed)),
    },
    async get({ repo, since = "2 weeks ago" }, ctx) {
      const repository = await opened(parts, ctx, repo);
      const commits = await history(parts, repository, { revision: "HEAD", since }, ctx);
      return [
        user(
          `Sum up what happened in ${repository.name} since ${since}: group the commits by what they are about, name who did what, and say what deserves a closer look (git_show).\n\n${commits}`,
        ),
      ];
    },
  });
