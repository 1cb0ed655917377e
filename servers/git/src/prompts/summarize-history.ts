// The prompt summarize_history: what happened since a date.
import { prompt, user } from "@oarlock/server-kit";
import { completeRepository } from "../completion.ts";
import { openRepository, type Dependencies } from "../dependencies.ts";
import { object, optionalWord } from "../schema.ts";
import { recentCommits } from "./material.ts";

const DEFAULT_SINCE = "2 weeks ago";
const SUGGESTED_DATES = ["1 week ago", "2 weeks ago", "1 month ago", "1 year ago"];

export const summarizeHistory = (deps: Dependencies) =>
  prompt({
    name: "summarize_history",
    title: "Summarize the history",
    description: "Summarize what happened in a repository since a date.",
    args: () =>
      object({
        repo: optionalWord("Repository path or name"),
        since: optionalWord(`A date, or words such as '2 weeks ago', the default`),
      }),
    complete: {
      repo: completeRepository(deps),
      since: (typed) => SUGGESTED_DATES.filter((date) => date.startsWith(typed)),
    },
    async get({ repo, since = DEFAULT_SINCE }, ctx) {
      const repository = await openRepository(deps, ctx, repo);
      const commits = await recentCommits(deps, repository, { revision: "HEAD", since }, ctx.signal);
      return [
        user(
          `Summarize what happened in ${repository.name} since ${since}: group the commits by subject, name who did what, and point out what deserves a closer look (git_show).\n\n${commits}`,
        ),
      ];
    },
  });
