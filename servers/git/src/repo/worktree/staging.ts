// What goes into the next commit: staging, unstaging, and restoring files.
import { GitError } from "../errors.ts";
import { mustNotLeadThroughLink } from "../safety/symlink-checks.ts";
import { failure } from "../process/git-failure.ts";
import { nameOf, shown } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import { FROM_INPUT, pathArguments, pathInput, relativePath } from "../safety/path-resolver.ts";
import { operationOf, underWay } from "./operation.ts";
import type { Repository } from "../repository.ts";

export interface Added {
  /** Paths that were staged, as new content or as gone. */
  readonly staged: readonly string[];
  /** Named, and left out because .gitignore says so. */
  readonly ignored: readonly string[];
}

export async function addFiles(repository: Repository, files: readonly string[], dryRun: boolean, signal?: AbortSignal): Promise<Added> {
  repository.needsWorkTree();
  if (files.length === 0) throw new GitError("invalid", 'Nothing was named: give files, or ["."] for everything.');
  const input = pathInput(repository, files);
  // Git refuses it too, after it has looked.
  for (const file of files) mustNotLeadThroughLink(repository, relativePath(repository, file), file);
  const args = ["add", "--verbose", ...(dryRun ? ["--dry-run"] : []), ...FROM_INPUT];
  const ran = await repository.try({ args, input, signal });
  const ignored = ignoredIn(ran.stderr);
  if (ran.code !== 0 && ignored.length === 0) throw failure(repository, ran, ["add"]);
  return { staged: stagedIn(ran.stdout), ignored };
}

/** `add 'path'` and `remove 'path'`; a path may hold a newline, and need not be UTF-8. */
function stagedIn(output: Buffer): string[] {
  return output
    .toString("latin1")
    .split(/'\n(?=add '|remove '|$)/)
    .flatMap((line) => /^(?:add|remove) '([^]*)$/.exec(line)?.[1] ?? [])
    .map((path) => nameOf(Buffer.from(path, "latin1")));
}

function ignoredIn(stderr: string): string[] {
  const [, list = ""] = /ignored by one of your \.gitignore files:\n([^]*)$/.exec(stderr) ?? [];
  return list.split("\n").filter((line) => line !== "" && !line.startsWith("hint:") && !line.startsWith("Use -f"));
}

export type ResetMode = "mixed" | "soft" | "hard";

/** Gives the paths that were staged and are not any more. */
export async function resetTo(repository: Repository, mode: ResetMode, files: readonly string[], signal?: AbortSignal): Promise<string[]> {
  repository.needsWorkTree();
  const withFiles = files.length > 0;
  const staged = mode === "soft" ? [] : await stagedPaths(repository, files, signal);
  const args = ["reset", "--quiet", "--no-recurse-submodules", ...(withFiles ? FROM_INPUT : [`--${mode}`])];
  await repository.run({ args, signal, ...(withFiles && { input: pathInput(repository, files) }) });
  return staged;
}

async function stagedPaths(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const form = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  const { stdout } = await repository.run({ args: ["diff", "--cached", ...form, ...pathArguments(repository, files)], signal });
  return records(stdout).map(nameOf);
}

export interface Restore {
  readonly files: readonly string[];
  /** A commit id; without one the index, or HEAD for what is staged. */
  readonly source: string | undefined;
  readonly staged: boolean;
  readonly worktree: boolean;
}

/** Throws where files of the work tree cannot be brought back: before anybody is asked whether they may be. */
export async function mustBeRestorable(
  repository: Repository,
  { files, source }: Pick<Restore, "files" | "source">,
  signal?: AbortSignal,
): Promise<void> {
  repository.needsWorkTree();
  const paths = pathArguments(repository, files);
  const args = ["ls-files", "--error-unmatch", ...(source === undefined ? [] : [`--with-tree=${source}`])];
  const ran = await repository.try({ args: [...args, ...paths], signal, onStdout: () => true });
  if (ran.code !== 0) throw failure(repository, ran, args);
  if (source !== undefined) return;
  const { stdout } = await repository.run({ args: ["ls-files", "--unmerged", "-z", ...paths], signal });
  const names = new Set(records(stdout).map((record) => nameOf(record.subarray(record.indexOf(9) + 1))));
  if (names.size === 0) return;
  const operation = operationOf(repository);
  const listed = [...names].slice(0, 5).map(shown).join(", ");
  throw new GitError(
    "conflict",
    `${operation === undefined ? "These" : `${underWay(operation)} and these`} files are in conflict: resolve them, or give a source: ${listed}${names.size > 5 ? ` and ${names.size - 5} more` : ""}`,
  );
}

export async function restoreFiles(
  repository: Repository,
  { files, source, staged, worktree }: Restore,
  signal?: AbortSignal,
): Promise<void> {
  repository.needsWorkTree();
  const args = [
    "restore",
    "--no-recurse-submodules",
    ...(source === undefined ? [] : [`--source=${source}`]),
    ...(staged ? ["--staged"] : []),
    ...(worktree ? ["--worktree"] : []),
    ...FROM_INPUT,
  ];
  await repository.run({ args, input: pathInput(repository, files), signal });
}
