// The history of some lines of a file: the option `-L` of git, with numbers only, as other forms hold patterns.
import { GitError } from "../errors.ts";
import type { GitArgument } from "../process/git-process.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import { relativePath } from "../safety/path-resolver.ts";
import { nameFromText } from "../text/file-names.ts";

const LINE_RANGE = /^([1-9]\d{0,8}),([1-9]\d{0,8})$/;

interface LineRangeOptions {
  readonly lineRange?: string | undefined;
  readonly paths: readonly string[];
  readonly all: boolean;
  readonly follow: boolean;
  readonly stat: boolean;
  readonly pickaxe?: string | undefined;
  readonly grepDiff?: string | undefined;
}

export function checkLineRange({ lineRange, paths, all, follow, stat, pickaxe, grepDiff }: LineRangeOptions): void {
  if (lineRange === undefined) return;
  const [, start, end] = LINE_RANGE.exec(lineRange) ?? [];
  if (start === undefined || Number(end) < Number(start))
    throw new GitError("invalid", 'line_range is "START,END" with numbers of lines from 1, such as "10,20".');
  if (paths.length !== 1) throw new GitError("invalid", "line_range needs exactly one path: give one file in paths.");
  if (all || follow || stat || pickaxe !== undefined || grepDiff !== undefined)
    throw new GitError(
      "invalid",
      "line_range goes without all_branches, follow, stat, pickaxe and grep_diff: leave them out. It follows renames by itself.",
    );
}

export const lineRangeArgument = (repository: WithPaths, range: string, [path = ""]: readonly string[]): GitArgument =>
  Buffer.concat([Buffer.from(`-L${range}:`), nameFromText(relativePath(repository, path))]);
