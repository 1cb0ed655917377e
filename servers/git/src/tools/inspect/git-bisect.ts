// git_bisect: the commit at which a text or a path came or went.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readCommitDiff } from "../../repo/diff/commit-diff.ts";
import { bisect } from "../../repo/history/bisect.ts";
import { commitText } from "../../repo/history/commit-record.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { file, object, optionalWord, repo_path, result, word, z } from "../../schema.ts";
import { diffReply, patchBudget } from "../diff-reply.ts";

export const gitBisect = (deps: Dependencies) =>
  tool({
    name: "git_bisect",
    title: "Find the first commit",
    description:
      "Find the commit between good and bad at which a literal text, or a path, appeared or disappeared. Runs and checks out nothing.",
    toolset: "integrate",
    input: () =>
      object({
        repo_path,
        good: word("Older revision"),
        bad: z._default(word("Newer revision"), "HEAD"),
        text: optionalWord("Text in any file, or in path"),
        path: z.optional(file("File or folder")),
      }),
    output: () => result({ hash: z.string(), change: z.string() }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, good, bad, text, path }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const { signal } = ctx;
      const ends = { good: await resolveCommit(repository, good, signal), bad: await resolveCommit(repository, bad, signal) };
      const { commit: hash, change, steps } = await bisect(repository, { ...ends, text, path, signal });
      const { commit, diff } = await readCommitDiff(repository, hash, { contextLines: 0, format: "names", ...patchBudget(deps), signal });
      return {
        content: `First commit where it ${change} (${steps} commits were looked at):\n${commitText(commit)}\n${diffReply(deps, diff, "names").text}`,
        structured: { hash, change, steps, parents: [...commit.parents], subject: commit.subject },
      };
    },
  });
