// The index: staging, unstaging, and resetting to HEAD.
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import { splitRecords } from "../process/nul-records.ts";
import type { Repository } from "../repository.ts";
import { enterableEntryAt } from "../safety/file-entry.ts";
import { refuseUnfilteredFiles, refuseUnfilteredWrites } from "../safety/filter-check.ts";
import { absolutePath, pathArguments, pathInput, PATHS_FROM_INPUT, relativePath } from "../safety/path-resolver.ts";
import { refuseSymlinkCrossing } from "../safety/symlink-checks.ts";
import { noticeLeftMarkers, unmergedPaths } from "./conflicts.ts";
import { nameFromText, nameToText } from "../text/file-names.ts";
import { chmodOption, setExecutable } from "./entries/executable-bit.ts";
import { refuseOutsideRepositories } from "../safety/git-directory/nested-repositories.ts";

export const noFilesGiven = (): GitError => new GitError("invalid", 'No files were given: name some in files, or ["."] for everything.');

export interface StageResult {
  /** Paths that were staged, deletions included. */
  readonly staged: readonly string[];
  /** Named paths that .gitignore excludes. */
  readonly ignored: readonly string[];
  /** Paths outside the sparse checkout, which git does not stage. */
  readonly outside: readonly string[];
}

export async function stageFiles(
  repository: Repository,
  files: readonly string[],
  { dryRun, executable }: { readonly dryRun: boolean; readonly executable?: boolean | undefined },
  signal?: AbortSignal,
): Promise<StageResult> {
  repository.requireWorkTree();
  if (files.length === 0) throw noFilesGiven();
  const input = pathInput(repository, files);
  // git refuses these paths too, but only after it has read behind the link.
  for (const file of files) refuseSymlinkCrossing(repository, relativePath(repository, file), file);
  await refuseOutsideRepositories(repository, files, signal);
  const plan = await runAdd(repository, input, ["--dry-run"], signal);
  await refuseForeignRepositories(repository, plan.staged);
  await refuseUnfilteredFiles(repository, plan.staged.map(nameFromText), signal);
  if (executable !== undefined) setExecutable(repository, files, executable, dryRun);
  if (dryRun) return plan;
  const unmerged = await unmergedPaths(repository, [], signal);
  const result = await runAdd(repository, input, executable === undefined ? [] : [chmodOption(executable)], signal);
  const resolved = result.staged.filter((path) => unmerged.has(path));
  if (resolved.length > 0) await noticeLeftMarkers(repository, resolved, signal);
  return result;
}

/** git stages the commit of a repository in a folder, wherever its `.git` leads. */
async function refuseForeignRepositories(repository: Repository, staged: readonly string[]): Promise<void> {
  for (const path of staged)
    if (enterableEntryAt(absolutePath(repository, nameFromText(path)))?.isDirectory() === true)
      await repository.openNested(path.replace(/\/$/, ""));
}

async function runAdd(repository: Repository, input: Buffer, options: readonly string[], signal?: AbortSignal): Promise<StageResult> {
  const result = await repository.tryChange({ args: ["add", "--verbose", ...options, ...PATHS_FROM_INPUT], input, signal });
  const ignored = pathsBelow(result.stderr, /ignored by one of your \.gitignore files:\n/);
  const outside = pathsBelow(result.stderr, /outside of your sparse-checkout definition, so will not be\nupdated in the index:\n/);
  const staged = stagedPaths(result.stdout);
  // git calls it a success where it may not look at the files.
  const isClosed = staged.length === 0 && /: Permission denied$/m.test(result.stderr);
  if ((result.exitCode !== 0 || isClosed) && ignored.length + outside.length === 0) throw gitFailure(repository, result, ["add"]);
  return { staged, ignored, outside };
}

/** Parses lines `add 'path'` and `remove 'path'`; a path may hold a newline, and need not be UTF-8. */
function stagedPaths(output: Buffer): string[] {
  return output
    .toString("latin1")
    .split(/'\n(?=add '|remove '|$)/)
    .flatMap((line) => /^(?:add|remove) '([^]*)$/.exec(line)?.[1] ?? [])
    .map((path) => nameToText(Buffer.from(path, "latin1")));
}

/** The lines below a title, up to git's advice or its next title. */
function pathsBelow(stderr: string, title: RegExp): string[] {
  const [, list = ""] = stderr.split(title);
  const lines = list.split("\n");
  const end = lines.findIndex((line) => /^(?:hint:|Use -f|The following paths |$)/.test(line));
  return lines.slice(0, end === -1 ? lines.length : end);
}

export type ResetMode = "mixed" | "soft" | "hard";

export interface ResetOptions {
  readonly mode: ResetMode;
  /** Only these files; all files if empty. */
  readonly files: readonly string[];
  /** The commit that the current branch moves to. Undefined: it stays. */
  readonly commit: string | undefined;
}

export async function hasTracked(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const { stdout } = await repository.read({ args: ["ls-files", "-z", ...pathArguments(repository, files)], signal });
  return stdout.length > 0;
}

/** Throws where the files of the work tree cannot be reset. Called before the user is asked. */
export async function requireHardReset(repository: Repository, commit: string | undefined, signal?: AbortSignal): Promise<void> {
  repository.requireWorkTree();
  const target = commit ?? (await repository.headCommit(signal));
  if (target !== undefined) await refuseUnfilteredWrites(repository, [{ operands: ["-R", target], commit: target }], signal);
}

/** Resets the index, the files or the branch. Returns the paths that were staged before and are not any more. */
export async function reset(repository: Repository, { mode, files, commit }: ResetOptions, signal?: AbortSignal): Promise<string[]> {
  repository.requireWorkTree();
  const unstaged = mode === "soft" ? [] : await listStaged(repository, files, signal);
  const args = ["reset", "--quiet", "--no-recurse-submodules"];
  if (files.length === 0) await repository.change({ args: [...args, `--${mode}`, ...(commit === undefined ? [] : [commit])], signal });
  else await repository.change({ args: [...args, ...PATHS_FROM_INPUT], input: pathInput(repository, files), signal });
  return unstaged;
}

/** Of these files, or of all if there are none. */
export async function listStaged(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const options = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  const { stdout } = await repository.read({ args: ["diff", "--cached", ...options, ...pathArguments(repository, files)], signal });
  return splitRecords(stdout).map(nameToText);
}
