// Stages parts of files: a patch is applied to the index, and the work tree stays as it is.
import { join } from "node:path";
import { GitError } from "../errors.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { gitFailure } from "../process/git-failure.ts";
import { withCopiedIndex } from "../process/temporary-index.ts";
import type { ChangeOptions, Repository } from "../repository.ts";
import { fileSignature } from "../safety/git-directory/git-directory-check.ts";
import { checkPatched } from "./patch-check.ts";

// Counts in hunk headers are recomputed: callers that leave out lines of a hunk rarely correct them.
const OPTIONS = ["--cached", "--recount", "--whitespace=nowarn"];

/** Returns the paths that the patch changes. `dryRun`: checks only whether it applies. Throws for what the work tree does not hold. */
export async function stagePatch(repository: Repository, patch: string, dryRun: boolean, signal?: AbortSignal): Promise<string[]> {
  repository.requireWorkTree();
  if (!/^(?:diff --git |--- )/m.test(patch))
    throw new GitError(
      "invalid",
      "patch is not a patch: give hunks as git_diff_unstaged shows them, below their headers (diff --git, ---, +++).",
    );
  const input = patch.endsWith("\n") ? patch : `${patch}\n`;
  const signature = (): string => fileSignature(join(repository.state.gitDir, "index"));
  const checked = signature();
  const paths = await withCopiedIndex(repository.context, async (patched, file) => {
    await apply(repository, { input, env: { GIT_INDEX_FILE: file }, signal });
    return await checkPatched(repository, patched, signal);
  });
  const requireChecked = (): void => {
    if (signature() !== checked) throw new GitError("conflict", "The index has changed meanwhile: nothing was staged. Repeat the call.");
  };
  if (!dryRun) await apply(repository, { input, beforeStart: requireChecked, signal });
  return paths;
}

async function apply(repository: Repository, options: Omit<ChangeOptions, "args">): Promise<void> {
  const args = ["apply", ...OPTIONS, "-"];
  const result = await repository.tryChange({ args, ...options });
  if (result.exitCode === 0) return;
  if (!/patch failed|does not apply|does not exist in index|already exists in index|corrupt patch|No valid patches/i.test(result.stderr))
    throw gitFailure(repository, result, args);
  throw new GitError(
    "conflict",
    `The patch does not apply to what is staged: nothing was changed. Take its hunks from git_diff_unstaged. git says: ${readableMessage(repository.state, result.stderr)}`,
  );
}
