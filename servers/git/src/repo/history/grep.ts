// Searches lines in tracked files, or in the files of a revision, and stops at the end of a page.
import { noticeLeftOut } from "../limits/sparse-checkout.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { pathArguments } from "../safety/path-resolver.ts";
import { checkPattern } from "../safety/pattern-check.ts";
import { crossesSymlink } from "../safety/symlink-checks.ts";
import { noticeUntracked } from "./similar-paths.ts";
import { GrepParser, type Match } from "./grep-parser.ts";

export interface GrepOptions {
  readonly pattern: string;
  /** A commit id. Undefined: the files of the work tree. */
  readonly commit: string | undefined;
  readonly paths: readonly string[];
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly contextLines: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Bytes of all matches as JSON, in text and structured content. */
  readonly maxJsonBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GrepPage {
  readonly matches: readonly Match[];
  readonly nextCursor: string | undefined;
  /** A line was shortened. */
  readonly isClipped: boolean;
}

const HIDDEN_LINE = "[hidden by --lockdown: git_blame shows your lines]";

/** The exit code of git for "no match". */
const NO_MATCH = 1;

export async function searchLines(repository: Repository, options: GrepOptions): Promise<GrepPage> {
  const { pattern, commit, paths, literal, ignoreCase, word, contextLines, limit, cursor, maxJsonBytes, signal } = options;
  if (commit === undefined) repository.requireWorkTree();
  if (!literal) checkPattern(pattern);
  const query = ["grep", repository.state.gitDir, pattern, commit, paths, literal, ignoreCase, word, contextLines];
  const skip = cursor === undefined ? 0 : Number(repository.cursors.open(query, cursor));
  const prefix = commit === undefined ? "" : `${commit}:`;
  const checked = new Map<string, boolean>();
  // In the work tree git follows links in the folders of a path.
  const isHidden = (path: string): boolean => commit === undefined && crossesSymlink(repository, path, checked);
  const parser = new GrepParser({ prefix, contextLines, skip, limit, maxJsonBytes, isHidden });
  const result = await repository.tryRead({
    args: [
      "grep",
      "-z",
      "--line-number",
      "--column",
      "--full-name",
      "--no-color",
      "-I",
      "--no-textconv",
      literal ? "--fixed-strings" : "--extended-regexp",
      ...(ignoreCase ? ["--ignore-case"] : []),
      ...(word ? ["--word-regexp"] : []),
      ...(contextLines > 0 ? [`--context=${contextLines}`] : []),
      "-e",
      pattern,
      ...(commit === undefined ? [] : [commit]),
      ...pathArguments(repository, paths),
    ],
    signal,
    onStdout: (chunk) => parser.push(chunk),
  });
  if (result.exitCode !== 0 && result.exitCode !== NO_MATCH && !result.isTruncated) throw gitFailure(repository, result, ["grep"]);
  if (commit === undefined) await noticeLeftOut(repository, paths, "; git_grep with revision HEAD searches all", signal);
  const { isFull, isClipped } = parser;
  // Whose lines they are is not known: git_blame tells it.
  const matches = repository.isTrusted === undefined ? parser.matches : parser.matches.map(withoutLines);
  if (matches.length === 0 && commit === undefined) await noticeUntracked(repository, paths, signal);
  return { matches, nextCursor: isFull ? repository.cursors.seal(query, String(skip + matches.length)) : undefined, isClipped };
}

const withoutLines = ({ path, line, column }: Match): Match => ({ path, line, ...(column !== undefined && { column }), text: HIDDEN_LINE });
