// Stops tracking files: they leave the index, and stay in the work tree.
import { GitError } from "../../errors.ts";
import { readableMessage } from "../../messages/readable-message.ts";
import { gitFailure } from "../../process/git-failure.ts";
import { splitRecords } from "../../process/nul-records.ts";
import type { Repository } from "../../repository.ts";
import { pathArguments, pathInput, PATHS_FROM_INPUT } from "../../safety/path-resolver.ts";
import { nameFromText, nameToText } from "../../text/file-names.ts";

export interface Untracked {
  readonly paths: readonly string[];
  /** Those that no ignore file names: staging everything takes them in again. */
  readonly unignored: readonly string[];
  /** The last commit has one of them. */
  readonly isCommitted: boolean;
}

export async function untrackFiles(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<Untracked> {
  repository.requireWorkTree();
  if (files.length === 0) throw new GitError("invalid", "No files were given: name them in paths.");
  const args = ["rm", "--cached", "-r", ...PATHS_FROM_INPUT];
  const result = await repository.tryChange({ args, input: pathInput(repository, files), signal });
  if (/staged content different from both/.test(result.stderr))
    throw new GitError(
      "conflict",
      `What is staged is neither in the file nor in the last commit, and would be lost: git_reset unstages it, git_commit keeps it. git says: ${readableMessage(repository.state, result.stderr)}`,
    );
  if (result.exitCode !== 0) throw gitFailure(repository, result, args);
  const paths = removedPaths(result.stdout);
  return {
    paths,
    unignored: await withoutIgnored(repository, paths, signal),
    isCommitted: await isInLastCommit(repository, files, signal),
  };
}

/** Parses lines `rm 'path'`; a path may hold a newline, and need not be UTF-8. */
const removedPaths = (output: Buffer): string[] =>
  output
    .toString("latin1")
    .split(/'\n(?=rm '|$)/)
    .flatMap((line) => /^rm '([^]*)$/.exec(line)?.[1] ?? [])
    .map((path) => nameToText(Buffer.from(path, "latin1")));

/** They have left the index: what the last commit has of them is a deletion there. */
async function isInLastCommit(repository: Repository, files: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const options = ["--cached", "--quiet", "--diff-filter=D", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
  return (await repository.tryRead({ args: ["diff", ...options, ...pathArguments(repository, files)], signal })).exitCode === 1;
}

async function withoutIgnored(repository: Repository, paths: readonly string[], signal?: AbortSignal): Promise<string[]> {
  if (paths.length === 0) return [];
  // The command takes no literal paths; behind "./" it reads a name as a name, not as a pattern.
  const input = Buffer.concat(paths.flatMap((path) => [Buffer.from("./"), nameFromText(path), Buffer.of(0)]));
  const context = { ...repository.context, env: { ...repository.context.env, GIT_LITERAL_PATHSPECS: "0" } };
  const { stdout } = await repository.tryRead({ args: ["check-ignore", "-z", "--stdin"], input, signal }, context);
  const ignored = new Set(splitRecords(stdout).map((name) => nameToText(name.subarray("./".length))));
  return paths.filter((path) => !ignored.has(path));
}
