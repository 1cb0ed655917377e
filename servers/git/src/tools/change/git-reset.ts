// git_reset: unstages files, moves the branch to another commit, and with mode hard discards changes after the user confirmed.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { counted, reportChange } from "@oarlock/domain-kit";
import { COMMITS_STAY, confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { noticeLeftRefs } from "../../repo/refs/unnamed-commits.ts";
import type { Repository } from "../../repo/repository.ts";
import { hasTracked, requireHardReset, reset, type ResetOptions } from "../../repo/worktree/staging.ts";
import { readStatus } from "../../repo/worktree/status.ts";
import { choice, files, object, optionalWord, repo_path, result, z } from "../../schema.ts";

const MAX_STATUS_ENTRIES = 100_000;
/** A path in structured content. */
const ENTRY_BYTES = 300;

export const gitReset = (deps: Dependencies) =>
  tool({
    name: "git_reset",
    title: "Unstage or undo commits",
    description:
      "Unstage everything, or files. revision HEAD~1 undoes the last commit: soft keeps its changes staged, mixed in the files, hard discards all changes after the user confirmed.",
    input: () =>
      object({
        repo_path,
        files: z._default(files("Only these"), []),
        mode: z._default(choice(["mixed", "soft", "hard"], "For changes"), "mixed"),
        revision: optionalWord("Move the branch to this commit"),
      }),
    output: () => result({ unstaged: z.array(z.string()) }),
    // `HEAD~1` goes back once more with each call.
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, files: wanted, mode, revision }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (wanted.length > 0 && (mode !== "mixed" || revision !== undefined))
        throw new GitError(
          "invalid",
          "files are only unstaged: leave out mode and revision, or leave out files. git_restore with source and staged stages files of a revision.",
        );
      const before = await repository.headCommit(ctx.signal);
      const commit = revision === undefined ? undefined : await resolveCommit(repository, revision, ctx.signal);
      const discarded = mode === "hard" ? await confirmHardReset(deps, repository, { commit, before }, ctx) : 0;
      const options = { mode, files: wanted, commit };
      const unstaged = await reset(repository, options, ctx.signal);
      reportChange(unstaged);
      const areUnknown = wanted.length > 0 && unstaged.length === 0 && !(await hasTracked(repository, wanted, ctx.signal));
      if (commit !== undefined) await noticeLeftRefs(repository, { from: before, to: commit }, ctx.signal);
      const maxPaths = Math.floor(deps.maxResultBytes / ENTRY_BYTES);
      return {
        content: areUnknown ? "git tracks none of these files now. Check the paths." : replyText(options, { before, unstaged, discarded }),
        structured: {
          unstaged: unstaged.slice(0, maxPaths),
          ...(unstaged.length > maxPaths && { truncated: true, total: unstaged.length }),
          ...(commit !== undefined && { head: commit, ...(before !== undefined && { previousHead: before }) }),
        },
      };
    },
  });

/** Asks the user where changes or commits would be discarded. Gives the number of files whose changes are. */
async function confirmHardReset(
  deps: Dependencies,
  repository: Repository,
  { commit, before }: { commit: string | undefined; before: string | undefined },
  ctx: InteractiveContext,
): Promise<number> {
  await requireHardReset(repository, commit, ctx.signal);
  const { changed, branch } = await readChanges(repository, ctx.signal);
  const moves = commit !== undefined && commit !== before;
  const acts = [
    ...(changed > 0 ? [`discard all changes in ${counted(changed, "file")}`] : []),
    ...(moves
      ? [`move ${branch ?? "HEAD"}${before === undefined ? "" : ` from ${before.slice(0, 7)}`} to ${commit.slice(0, 7)} with its files`]
      : []),
  ].join(" and ");
  if (acts === "") return changed;
  const outcome = changed === 0 ? { outcome: COMMITS_STAY } : {};
  await confirmDiscard(deps, ctx, `${acts.charAt(0).toUpperCase()}${acts.slice(1)} in the repository ${repository.name}`, outcome);
  return changed;
}

async function readChanges(repository: Repository, signal: AbortSignal): Promise<{ changed: number; branch: string | undefined }> {
  const { branch, staged, unstaged, conflicts } = await readStatus(repository, MAX_STATUS_ENTRIES, signal);
  // git does not reset what lies inside submodules.
  const ownChanges = unstaged.filter(({ submodule }) => submodule === undefined);
  return { changed: new Set([...staged, ...ownChanges, ...conflicts].map(({ path }) => path)).size, branch };
}

interface Outcome {
  readonly before: string | undefined;
  readonly unstaged: readonly string[];
  /** Files whose changes mode `hard` has discarded. */
  readonly discarded: number;
}

function replyText({ mode, files, commit }: ResetOptions, { before, unstaged, discarded }: Outcome): string {
  const lost = discarded === 0 ? "No changes were discarded." : `The changes in ${counted(discarded, "file")} were discarded.`;
  if (commit !== undefined) {
    const kept = {
      soft: "Changes since then stay staged.",
      mixed: "Changes since then stay in the files, not staged.",
      hard: lost,
    };
    const undo = before === undefined || before === commit ? "" : ` To go back: git_reset with revision ${before} and mode ${mode}.`;
    return `HEAD is now at ${commit}.${undo} ${kept[mode]}`;
  }
  if (mode === "hard") return lost;
  if (mode === "soft") return "HEAD stays; what is staged stays staged. To undo the last commit, pass revision HEAD~1";
  if (files.length === 0) return "All staged changes reset";
  return unstaged.length > 0 ? "Files unstaged" : "None of these files was staged";
}
