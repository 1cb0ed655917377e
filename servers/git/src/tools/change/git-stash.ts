// git_stash: put changes aside, look at them, bring them back; dropping them is asked for.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { diffOf } from "../../repo/diff/diff.ts";
import { GitError } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import type { Repository } from "../../repo/repository.ts";
import { applyStash, dropStash, listStashes, pushStash, stashCommit, stashCompared } from "../../repo/worktree/stash.ts";
import { budgetOf, diffReply } from "../diff-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, cursor, flag, maybe, object, paths, repo_path, result, z } from "../../schema.ts";

const ACTIONS = ["list", "show", "push", "apply", "pop", "drop"] as const;

export const gitStash = (parts: Parts) =>
  tool({
    name: "git_stash",
    title: "Stash",
    description: "Put changes aside (push), list and show what is there, bring it back (apply, pop) or drop it, after a yes.",
    input: () =>
      object({
        repo_path,
        action: choice(ACTIONS, "What to do"),
        index: z._default(z.int().check(z.minimum(0)), 0).check(z.describe("Which stash, 0 is the newest")),
        message: maybe("For push"),
        include_untracked: flag("push: untracked files too"),
        keep_index: flag("push: leave what is staged"),
        paths,
        cursor,
      }),
    output: () =>
      result({
        stashes: z.optional(z.array(z.looseObject({ index: z.int(), hash: z.string(), message: z.string() }))),
        done: z.boolean(),
      }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run(
      { repo_path: where, action, index, message, include_untracked: includeUntracked, keep_index: keepIndex, paths: wanted, cursor: from },
      ctx,
    ) {
      const repository = await opened(parts, ctx, where);
      repository.needsWorkTree();
      const { signal } = ctx;
      switch (action) {
        case "list":
          return list(parts, repository, signal);
        case "show":
          return show(parts, repository, { index, paths: wanted, cursor: from }, ctx);
        case "push": {
          const done = await pushStash(repository, { message, includeUntracked, keepIndex, paths: wanted, host: parts.env, signal });
          return { content: done ? "Saved the changes as stash 0" : "There are no changes to save", structured: { done } };
        }
        case "apply":
        case "pop":
          await applyStash(repository, action, index, signal);
          return {
            content: action === "pop" ? `Applied and dropped stash ${index}` : `Applied stash ${index}`,
            structured: { done: true },
          };
        case "drop": {
          const hash = await stashCommit(repository, index, signal);
          const what = `Drop stash ${index} (${hash.slice(0, 7)}) of ${repository.name}`;
          await mayDiscard(parts, ctx, what, " To keep its changes, apply it instead.");
          // Numbers move with each stash, and the yes was for this one.
          if ((await stashCommit(repository, index, signal)) !== hash)
            throw new GitError("conflict", `Not done: stash ${index} has become another one meanwhile; action list shows them.`);
          await dropStash(repository, index, signal);
          return { content: `Dropped stash ${index} (${hash})`, structured: { done: true, hash } };
        }
      }
    },
  });

async function list({ maxResultBytes }: Parts, repository: Repository, signal: AbortSignal) {
  const { stashes, more } = await listStashes(repository, Math.min(500, Math.floor(maxResultBytes / 600)), signal);
  const lines = stashes.map(({ index, date, message }) => `${index}: ${shown(message)} (${date})`);
  if (more) lines.push("[truncated: there are more]");
  return {
    content: stashes.length === 0 ? "Nothing is stashed" : lines.join("\n"),
    structured: { stashes: stashes.map((stash) => ({ ...stash })), done: true, ...(more && { truncated: true }) },
  };
}

async function show(
  parts: Parts,
  repository: Repository,
  { index, paths: wanted, cursor: from }: { index: number; paths: readonly string[]; cursor: string | undefined },
  ctx: InteractiveContext,
) {
  const hash = await stashCommit(repository, index, ctx.signal);
  const diff = await diffOf(repository, {
    compare: await stashCompared(repository, hash, ctx.signal),
    contextLines: 3,
    paths: wanted,
    format: "patch",
    cursor: from,
    ...budgetOf(parts),
    signal: ctx.signal,
  });
  const { text, structured } = diffReply(parts, diff, "patch");
  return { content: `Stash ${index}:\n${text}`, structured: { ...structured, hash, done: true } };
}
