// Restores files from the index or from a commit.
import { escapeControls } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { noticeLeftOut, refuseLeftOut } from "../limits/sparse-checkout.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { refuseUnfilteredWrites } from "../safety/filter-check.ts";
import { pathArguments, pathInput, PATHS_FROM_INPUT } from "../safety/path-resolver.ts";
import { unmergedPaths } from "./conflicts.ts";
import { currentOperation, inProgress } from "./operation.ts";

export interface RestoreOptions {
  readonly files: readonly string[];
  /** A commit id. Undefined: the index, or HEAD for staged content. */
  readonly source: string | undefined;
  /** Restores the index in place of the work tree. */
  readonly staged: boolean;
}

const MAX_LISTED = 5;

/** Throws where the files of the work tree cannot be restored. Called before the user is asked whether they may be. */
export async function requireRestorable(
  repository: Repository,
  { files, source }: Pick<RestoreOptions, "files" | "source">,
  signal?: AbortSignal,
): Promise<void> {
  repository.requireWorkTree();
  const paths = pathArguments(repository, files);
  const args = ["ls-files", "--error-unmatch", ...(source === undefined ? [] : [`--with-tree=${source}`]), ...paths];
  const result = await repository.tryRead({ args, signal, onStdout: () => true });
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  await refuseLeftOut(
    repository,
    files,
    `git_show reads it with ${source ?? "HEAD"}; git sparse-checkout add takes its folder in.`,
    signal,
  );
  await noticeLeftOut(repository, files, ", and stay out", signal);
  // In the direction of the restore: a file that only the work tree has is deleted.
  await refuseUnfilteredWrites(
    repository,
    [{ operands: ["-R", ...(source === undefined ? [] : [source])], commit: source, paths: files }],
    signal,
  );
  if (source !== undefined) return;
  const unmerged = [...(await unmergedPaths(repository, paths, signal))];
  if (unmerged.length === 0) return;
  const operation = currentOperation(repository);
  const listed = unmerged.slice(0, MAX_LISTED).map(escapeControls).join(", ");
  const more = unmerged.length > MAX_LISTED ? ` and ${unmerged.length - MAX_LISTED} more` : "";
  throw new GitError(
    "conflict",
    `${operation === undefined ? "These" : `${inProgress(operation)} and these`} files are in conflict: resolve them, or give a source: ${listed}${more}`,
  );
}

export async function restoreFiles(repository: Repository, { files, source, staged }: RestoreOptions, signal?: AbortSignal): Promise<void> {
  repository.requireWorkTree();
  // Before the first commit there is nothing to restore the index from: unstaging takes the files out of it, as git reset does.
  if (staged && source === undefined && (await repository.headCommit(signal)) === undefined) {
    await repository.change({ args: ["reset", "--quiet", ...PATHS_FROM_INPUT], input: pathInput(repository, files), signal });
    return;
  }
  const from = source === undefined ? [] : [`--source=${source}`];
  const args = ["restore", "--no-recurse-submodules", ...from, staged ? "--staged" : "--worktree", ...PATHS_FROM_INPUT];
  await repository.change({ args, input: pathInput(repository, files), signal });
}
