// Stages parts of files: a patch is applied to the index, and the work tree stays as it is.
import { join } from "node:path";
import { GitError } from "../errors.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { gitFailure } from "../process/git-failure.ts";
import { withCopiedIndex } from "../process/temporary-index.ts";
import type { ChangeOptions, Repository } from "../repository.ts";
import { fileSignature } from "../safety/git-directory/git-directory-check.ts";
import { checkPatched, type PatchedPaths } from "./patch-check.ts";
import { placeBareHunks } from "../text/bare-hunks.ts";
import { encodingsOf, filePatches } from "../text/patch-encodings.ts";

// Counts in hunk headers are recomputed: callers that leave out lines of a hunk rarely correct them. Hunks need no lines around their changes,
// as what they stage is checked.
const OPTIONS = ["--cached", "--recount", "--unidiff-zero", "--whitespace=nowarn"];

/** Returns the paths that the patch changes, and those of which it leaves changes out. `dryRun`: checks only whether it applies. Throws for what the work tree does not hold. */
export async function stagePatch(repository: Repository, patch: string, dryRun: boolean, signal?: AbortSignal): Promise<PatchedPaths> {
  repository.requireWorkTree();
  if (!/^(?:diff --git |--- )/m.test(patch))
    throw new GitError(
      "invalid",
      "patch is not a patch: give hunks as git_diff_unstaged shows them, below their headers (diff --git, ---, +++).",
    );
  const text = placeBareHunks(patch.endsWith("\n") ? patch : `${patch}\n`);
  const signature = (): string => fileSignature(join(repository.state.gitDir, "index"));
  const checked = signature();
  const { input, staged } = await findEncoding(repository, text, signal);
  const requireChecked = (): void => {
    if (signature() !== checked) throw new GitError("conflict", "The index has changed meanwhile: nothing was staged. Repeat the call.");
  };
  if (!dryRun) await apply(repository, { input, beforeStart: requireChecked, signal });
  return staged;
}

interface CheckedPatch {
  readonly input: Buffer;
  readonly staged: PatchedPaths;
}

/** The bytes that the patch stands for: those that apply, and of which the work tree holds every line. Throws what the text itself fails over. */
async function findEncoding(repository: Repository, text: string, signal?: AbortSignal): Promise<CheckedPatch> {
  const whole = Buffer.from(text, "utf8");
  try {
    return { input: whole, staged: await tryPatch(repository, whole, signal) };
  } catch (error) {
    const parts = filePatches(text).map(encodingsOf);
    if (!(error instanceof GitError) || error.code !== "conflict" || parts.every(({ length }) => length === 1)) throw error;
    // Patches of several files do not depend on each other.
    const chosen: Buffer[] = [];
    for (const forms of parts) {
      const fitting = await firstThatFits(repository, forms, signal);
      if (fitting === undefined) throw error;
      chosen.push(fitting);
    }
    const input = Buffer.concat(chosen);
    return { input, staged: await tryPatch(repository, input, signal) };
  }
}

async function firstThatFits(repository: Repository, forms: readonly Buffer[], signal?: AbortSignal): Promise<Buffer | undefined> {
  for (const form of forms) {
    try {
      await tryPatch(repository, form, signal);
      return form;
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== "conflict") throw error;
    }
  }
  return undefined;
}

/** Applies a patch to a copy of the index, and checks what it would stage. */
async function tryPatch(repository: Repository, input: Buffer, signal?: AbortSignal): Promise<PatchedPaths> {
  return await withCopiedIndex(repository.context, async (patched, file) => {
    await apply(repository, { input, env: { GIT_INDEX_FILE: file }, signal });
    return await checkPatched(repository, patched, signal);
  });
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
