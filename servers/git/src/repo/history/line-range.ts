// The history of some lines of a file: the option `-L` of git, with numbers only, as other forms hold patterns.
import { escapeControls } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { GitArgument, GitCommand } from "../process/git-process.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import type { Repository } from "../repository.ts";
import { relativePath } from "../safety/path-resolver.ts";
import { decodeText, nameFromText } from "../text/file-names.ts";
import { cutAround } from "../text/long-lines.ts";

const LINE_RANGE = /^([1-9]\d{0,8}),([1-9]\d{0,8})$/;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINES = 10;
const MAX_LINE_LENGTH = 200;

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

/** By commit, the lines of the range that it removed and added. `command`: the log without patches. */
export async function rangeChanges(repository: Repository, { args, signal }: GitCommand): Promise<Map<string, string>> {
  const patches = args.flatMap((arg) => {
    if (arg === "-z") return [];
    if (arg === "--no-patch") return ["--patch"];
    return String(arg).startsWith("--format=") ? ["--format=%x00%H"] : [arg];
  });
  const { stdout } = await repository.tryRead({ args: patches, signal, maxBytes: MAX_BYTES });
  return new Map(
    decodeText(stdout)
      .split("\0")
      .map((patch) => [patch.slice(0, patch.indexOf("\n")), changesIn(patch)]),
  );
}

function changesIn(patch: string): string {
  const changed = patch.slice(patch.indexOf("\n@@ ") + 1).split("\n");
  const lines = changed.filter((line) => /^[+-]/.test(line)).map(shorten);
  const more = lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more changed lines: git_show has all)`] : [];
  return [...lines.slice(0, MAX_LINES), ...more].join("\n");
}

const shorten = (line: string): string => escapeControls(cutAround(line, { start: 0, length: 0 }, MAX_LINE_LENGTH).trimEnd());
