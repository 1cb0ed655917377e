// git_stash: saves changes, lists and shows them, applies them, and drops them after the user confirmed.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readDiff } from "../../repo/diff/diff.ts";
import { GitError } from "../../repo/errors.ts";
import type { Repository } from "../../repo/repository.ts";
import {
  applyStash,
  dropStash,
  listStashes,
  pushStash,
  resolveStash,
  stashedPaths,
  stashComparison,
  stashName,
  type Stash,
} from "../../repo/worktree/stash.ts";
import { items, z, result, repo_path, paths, optionalWord, object, lines, flag, cursor, choice } from "../../schema.ts";
import { diffReply, patchBudget } from "../diff-reply.ts";
import { hintsOf } from "../read-only-variant.ts";
import { namesOf, takeLines, toObjects } from "../structured.ts";

const READ_ACTIONS = ["list", "show"] as const;
const ACTIONS = [...READ_ACTIONS, "push", "apply", "pop", "drop"] as const;
const MAX_LISTED = 500;
/** A stash in text and structured content, with a long message. */
const ENTRY_BYTES = 600;

export const gitStash = (deps: Dependencies) =>
  tool({
    name: "git_stash",
    title: "Stash",
    description: deps.readOnly
      ? "List stashes, or show one."
      : "Save changes (push), list, show, apply or pop stashes, or drop one after the user confirmed.",
    input: () =>
      object({
        repo_path,
        action: choice(deps.readOnly ? READ_ACTIONS : ACTIONS, "What to do"),
        index: lines("N of stash@{N}, 0 is the newest", 0),
        message: optionalWord("For push"),
        include_untracked: flag("push: include untracked files"),
        keep_index: flag("push: keep the index"),
        paths,
        cursor,
      }),
    output: () =>
      result({
        stashes: z.optional(items()),
        done: z.boolean(),
      }),
    hints: hintsOf(deps, { destructive: true, idempotent: false }),
    async run({ repo_path: repoPath, action, index, message, include_untracked: includeUntracked, keep_index: keepIndex, ...page }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      repository.requireWorkTree();
      const { signal } = ctx;
      switch (action) {
        case "list":
          return list(deps, repository, signal);
        case "show":
          return show(deps, repository, { index, ...page }, signal);
        case "push": {
          const done = await pushStash(repository, { message, includeUntracked, keepIndex, paths: page.paths, host: deps.env, signal });
          if (!done) return { content: "There are no changes to save", structured: { done } };
          const names = namesOf(await stashedPaths(repository, await resolveStash(repository, 0, signal), signal));
          return { content: `Saved the changes as ${stashName(0)}: ${names}`, structured: { done, stash: stashName(0) } };
        }
        case "apply":
        case "pop": {
          const hash = await applyStash(repository, action, index, signal);
          const names = namesOf(await stashedPaths(repository, hash, signal));
          return {
            content: `Applied ${action === "pop" ? "and dropped " : ""}${stashName(index)}: ${names}`,
            structured: { done: true, stash: stashName(index) },
          };
        }
        case "drop":
          return drop(deps, repository, index, ctx);
      }
    },
  });

async function list({ maxResultBytes }: Dependencies, repository: Repository, signal: AbortSignal) {
  const limit = Math.min(MAX_LISTED, Math.floor(maxResultBytes / ENTRY_BYTES));
  const { stashes: found, hasMore: isCut } = await listStashes(repository, limit, signal);
  const stashes = takeLines(found, undefined, stashLine);
  const hasMore = isCut || stashes.length < found.length;
  const entries = stashes.map(stashLine);
  return {
    content: stashes.length === 0 ? "There are no stashes" : [...entries, ...(hasMore ? ["[truncated: there are more]"] : [])].join("\n"),
    structured: { stashes: toObjects(stashes), done: true, ...(hasMore && { truncated: true }) },
  };
}

const stashLine = ({ name, date, message }: Stash): string => `${name}: ${escapeControls(message)} (${date})`;

async function show(
  deps: Dependencies,
  repository: Repository,
  { index, ...page }: { index: number; paths: readonly string[]; cursor?: string | undefined },
  signal: AbortSignal,
) {
  const hash = await resolveStash(repository, index, signal);
  const compare = await stashComparison(repository, hash, signal);
  const diff = await readDiff(repository, { compare, contextLines: 3, format: "patch", ...page, ...patchBudget(deps), signal });
  const { text, structured } = diffReply(deps, diff, "patch");
  return { content: `${stashName(index)}:\n${text}`, structured: { ...structured, stash: stashName(index), hash, done: true } };
}

async function drop(deps: Dependencies, repository: Repository, index: number, ctx: InteractiveContext) {
  const hash = await resolveStash(repository, index, ctx.signal);
  const act = `Drop ${stashName(index)} (${hash.slice(0, 7)}) of the repository ${repository.name}`;
  await confirmDiscard(deps, ctx, act, { alternative: " To keep its changes, apply it instead." });
  // A new stash shifts the numbers, and the user confirmed this stash.
  if ((await resolveStash(repository, index, ctx.signal)) !== hash)
    throw new GitError("conflict", `Not dropped: ${stashName(index)} is another one now. action list shows the stashes.`);
  await dropStash(repository, index, ctx.signal);
  return { content: `Dropped ${stashName(index)} (${hash})`, structured: { done: true, stash: stashName(index), hash } };
}
