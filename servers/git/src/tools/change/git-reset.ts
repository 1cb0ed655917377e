// git_reset: unstages files; mode hard discards changes too, after the user confirmed.
import { tool } from "@oarlock/server-kit";
import { counted } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import type { Repository } from "../../repo/repository.ts";
import { resetToHead, type ResetMode } from "../../repo/worktree/staging.ts";
import { readStatus } from "../../repo/worktree/status.ts";
import { choice, files, object, repo_path, result, z } from "../../schema.ts";

const MAX_STATUS_ENTRIES = 100_000;
/** A path in structured content. */
const ENTRY_BYTES = 300;

export const gitReset = (deps: Dependencies) =>
  tool({
    name: "git_reset",
    title: "Unstage",
    description: "Unstage everything, or files. mode hard also discards all changes of tracked files, after the user confirmed.",
    input: () =>
      object({
        repo_path,
        files: z._default(files("Only these"), []),
        mode: z._default(choice(["mixed", "soft", "hard"], "mixed unstages, hard discards"), "mixed"),
      }),
    output: () => result({ unstaged: z.array(z.string()) }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ repo_path: repoPath, files: wanted, mode }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (wanted.length > 0 && mode !== "mixed")
        throw new GitError("invalid", `mode ${mode} resets everything: leave out files, or use mode mixed to unstage them.`);
      if (mode === "hard") {
        const changed = await countChanges(repository, ctx.signal);
        if (changed > 0) await confirmDiscard(deps, ctx, `Discard all changes in ${counted(changed, "file")} of ${repository.name}`);
      }
      const unstaged = await resetToHead(repository, mode, wanted, ctx.signal);
      const maxPaths = Math.floor(deps.maxResultBytes / ENTRY_BYTES);
      return {
        content: replyText(mode, wanted, unstaged),
        structured: {
          unstaged: unstaged.slice(0, maxPaths),
          ...(unstaged.length > maxPaths && { truncated: true, total: unstaged.length }),
        },
      };
    },
  });

async function countChanges(repository: Repository, signal: AbortSignal): Promise<number> {
  const { staged, unstaged, conflicts } = await readStatus(repository, MAX_STATUS_ENTRIES, signal);
  // git does not reset what lies inside submodules.
  const ownChanges = unstaged.filter(({ submodule }) => submodule === undefined);
  return new Set([...staged, ...ownChanges, ...conflicts].map(({ path }) => path)).size;
}

function replyText(mode: ResetMode, files: readonly string[], unstaged: readonly string[]): string {
  if (mode === "hard") return "All changes of tracked files discarded";
  if (mode === "soft") return "HEAD stays; what is staged stays staged";
  if (files.length === 0) return "All staged changes reset";
  return unstaged.length > 0 ? "Files unstaged" : "None of these files was staged";
}
