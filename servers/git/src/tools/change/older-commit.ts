// What git_commit does with an older commit: rewords it or adds what is staged, after the user confirmed.
import { counted, escapeControls } from "@oarlock/domain-kit";
import type { InteractiveContext } from "@oarlock/server-kit";
import { COMMITS_STAY, confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import type { Repository } from "../../repo/repository.ts";
import { rewriteCommit } from "../../repo/rewrite/rewrite.ts";
import { describeRewrite, planRewrite } from "../../repo/rewrite/rewrite-plan.ts";
import { requireAuthor } from "../../repo/worktree/commit.ts";
import { newSkippedPrograms } from "./skipped-programs.ts";

const MAX_NAMED = 5;

interface OlderCommit {
  readonly target: string;
  readonly message: string;
  readonly author: string | undefined;
}

export async function amendOlder(
  deps: Dependencies,
  ctx: InteractiveContext,
  repository: Repository,
  { target, message, author }: OlderCommit,
) {
  requireAuthor(author);
  if (deps.sign)
    throw new GitError(
      "invalid",
      "Older commits are changed without signatures, and this server signs: change it with git itself (git rebase -i).",
    );
  const plan = await planRewrite(repository, target, ctx.signal);
  const text = message.trim() === "" ? undefined : `${message.trimEnd()}\n`;
  if (text === undefined && author === undefined && plan.patch === undefined)
    throw new GitError("invalid", "Nothing would change: stage files with git_add, or give a message.");
  const what = plan.patch === undefined ? "" : " with what is staged";
  await confirmDiscard(deps, ctx, `Change ${describeRewrite(plan)} of the repository ${repository.name}${what}`, { outcome: COMMITS_STAY });
  const { hash, head, lostSignatures } = await rewriteCommit(repository, plan, { message: text, author, signal: ctx.signal }, deps);
  const { keepers } = plan;
  const kept = keepers.slice(0, MAX_NAMED).map(escapeControls).join(", ") + (keepers.length > MAX_NAMED ? ", …" : "");
  const warnings = [
    ...(keepers.length > 0 ? [`The old commits stay in: ${kept}`] : []),
    ...(lostSignatures > 0 ? [`Not carried over: ${counted(lostSignatures, "signature")}, as they covered the old content.`] : []),
    ...newSkippedPrograms(ctx.client, repository, deps, true),
  ];
  return {
    content: [
      `Changed commit ${target.slice(0, 12)}, now ${hash}; ${counted(plan.commits.length - 1, "commit")} after it made anew. HEAD is ${head}`,
      `To go back: git_reset with revision ${plan.head} and mode soft (git_reflog keeps it)`,
      ...warnings,
    ].join("\n"),
    structured: { hash, head, previousHead: plan.head, signed: false, hooksRun: false, warnings },
  };
}
