// git_cherry_pick and git_revert: apply commits again, or undo them by new ones.
import { tool } from "@oarlock/server-kit";
import { GitError } from "../../repo/errors.ts";
import { integrate, mustBeUnderWay, type Integration } from "../../repo/worktree/integration.ts";
import { integrateReply, integrateResult, step } from "./integration-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { count, flag, object, repo_path, word, z } from "../../schema.ts";

/** They are arguments of git, whose length the operating system bounds. */
const MOST = 1000;

interface Told {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly what: Integration & ("cherry-pick" | "revert");
}

const make =
  ({ name, title, description, what }: Told) =>
  (parts: Parts) =>
    tool({
      name,
      title,
      description,
      toolset: "integrate",
      input: () =>
        object({
          repo_path,
          revisions: z._default(z.array(word("A commit")), []).check(z.describe("Commits, in the order in which to take them")),
          no_commit: flag("Only change the files"),
          mainline: count("For merges: which parent counts, from 1"),
          step: step(),
        }),
      output: integrateResult,
      hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      async run({ repo_path: where, revisions, no_commit: noCommit, mainline, step: at }, ctx) {
        const repository = await opened(parts, ctx, where);
        let args: string[] = [];
        if (at === "start") {
          if (revisions.length === 0) throw new GitError("invalid", "revisions is missing: which commits.");
          if (revisions.length > MOST) throw new GitError("invalid", `At most ${MOST} commits at a time: ${revisions.length} were named.`);
          // One after the other, as each that is not found is looked for among all names: the first one ends it.
          const commits: string[] = [];
          for (const revision of revisions) commits.push(await repository.commit(revision, ctx.signal));
          args = [
            "--no-edit",
            ...(noCommit ? ["--no-commit"] : []),
            ...(mainline === undefined ? [] : [`--mainline=${mainline}`]),
            ...commits,
          ];
        } else if (at === "abort") {
          mustBeUnderWay(repository, what);
          await mayDiscard(parts, ctx, `Give up the ${what} in ${repository.name}, with what was resolved so far`);
        }
        return integrateReply(title, await integrate(repository, what, at, args, parts, ctx.signal));
      },
    });

export const gitCherryPick = make({
  name: "git_cherry_pick",
  title: "Cherry-pick",
  description: "Apply commits of other branches here. Stops at conflicts and names them.",
  what: "cherry-pick",
});

export const gitRevert = make({
  name: "git_revert",
  title: "Revert",
  description: "Undo commits by new ones. Stops at conflicts and names them.",
  what: "revert",
});
