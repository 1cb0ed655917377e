// The history, page by page. A cursor names the commits at which the first page began, so that new commits do not shift the pages.
import { jsonStringBytes } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { withoutHidden } from "../lockdown/hidden-texts.ts";
import { markBoundaries, noticeHistoryLimits } from "../limits/history-limits.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitArgument, GitCommand } from "../process/git-process.ts";
import { dateArguments, type DateRange } from "../refs/date-range.ts";
import type { Repository } from "../repository.ts";
import { pathArguments, pathLines } from "../safety/path-resolver.ts";
import { checkPattern } from "../safety/pattern-check.ts";
import { isByteName } from "../text/file-names.ts";
import { COMMIT_FORMAT } from "./commit-record.ts";
import { parseLog, parseLogWithStats, type LogEntry } from "./log-parser.ts";
import { allTips, tipsOf, type LogTips } from "./log-tips.ts";
import { matchedLines } from "./matched-lines.ts";
import { noticeRename } from "./renamed-path.ts";
import { noticeUntracked } from "./similar-paths.ts";
import { checkLineRange, lineRangeArgument, rangeChanges } from "./line-range.ts";

const MAX_TIPS_IN_CURSOR = 50;
const MAX_TIPS_AS_ARGUMENTS = 1000;
const DIGEST = "#";

export interface LogOptions extends DateRange {
  readonly maxCount: number;
  readonly revision?: string | undefined;
  /** The history of all branches, remote branches and tags, and of HEAD. */
  readonly all: boolean;
  readonly paths: readonly string[];
  readonly author?: string | undefined;
  readonly grep?: string | undefined;
  /** Text whose number of occurrences changed. */
  readonly pickaxe?: string | undefined;
  /** A pattern in the lines that a commit adds or removes. */
  readonly grepDiff?: string | undefined;
  /** `START,END`: only commits that changed these lines of the only path. */
  readonly lineRange?: string | undefined;
  readonly follow: boolean;
  readonly firstParent: boolean;
  readonly stat: boolean;
  readonly cursor?: string | undefined;
  /** Bytes of all commits as JSON, in text and structured content. */
  readonly maxJsonBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface LogPage {
  readonly commits: readonly LogEntry[];
  readonly nextCursor: string | undefined;
  /** Refs without an object, whose history is left out. */
  readonly broken: readonly string[];
}

/** Where a page begins. */
interface LogPosition {
  /** Ids to start from and, with ^, to leave out. */
  readonly tips: readonly string[];
  readonly skip: number;
  readonly broken?: readonly string[];
}

export async function readLog(repository: Repository, options: LogOptions): Promise<LogPage> {
  checkOptions(options);
  const dates = await dateArguments(repository.context, options, options.signal);
  const query = queryOf(repository, options);
  const position = await startOf(repository, query, options);
  const { broken = [] } = position;
  if (position.tips.length === 0) return { commits: [], nextCursor: undefined, broken };
  // These filter while git prints, after --skip has counted the commits: the skipped ones are read and dropped here.
  const filtersLate = options.follow || options.pickaxe !== undefined || options.grepDiff !== undefined;
  const dropped = filtersLate ? position.skip : 0;
  const command = commandOf(repository, { ...options, dates }, position, dropped);
  const result = await repository.tryRead(command);
  if (options.cursor !== undefined && result.exitCode !== 0 && /bad (?:object|revision)/.test(result.stderr))
    throw new GitError("invalid", "The cursor is too old: its first commits are gone from the repository. Leave it out to start again.");
  if (result.exitCode !== 0 && !result.isTruncated) throw gitFailure(repository, result, command.args);
  const parsed = options.stat ? parseLogWithStats(result.stdout) : parseLog(result.stdout);
  const entries = parsed.map((entry) => withoutHidden(repository, entry));
  // The last commit of truncated output may be incomplete; it begins the next page. A single one is shown in any case.
  if (result.isTruncated && entries.length > 1) entries.pop();
  const found = entries.slice(dropped);
  if (result.isTruncated && found.length === 0)
    throw new GitError(
      "too-large",
      "The messages up to this page are larger than this server reads at once. Give a smaller range, or dates.",
    );
  const commits = await withMatches(repository, markBoundaries(repository, fitCommits(found, options)), options, command);
  const hasMore = result.isTruncated || found.length > commits.length;
  // On the last page older commits are missed, whichever the page holds.
  const listed = hasMore ? commits.map(({ hash }) => hash) : undefined;
  await noticeHistoryLimits(repository, { listed, isFurtherPage: options.cursor !== undefined, signal: options.signal });
  if (commits.length === 0 && options.cursor === undefined) await noticeUntracked(repository, options.paths, options.signal);
  const oldest = commits.at(-1)?.hash;
  if (!hasMore && oldest !== undefined && isOfPaths(options))
    await noticeRename(repository, { oldest, paths: options.paths }, options.signal);
  if (!hasMore) return { commits, nextCursor: undefined, broken };
  const next = `${await anchorOf(position.tips)} ${position.skip + commits.length}`;
  return { commits, nextCursor: repository.cursors.seal(query, next), broken };
}

/** Whether git ends at the rename of a file; with a range of lines it goes on. */
const isOfPaths = ({ paths, follow, lineRange }: LogOptions): boolean => paths.length > 0 && !follow && lineRange === undefined;

/** Commits of strangers stay without, as --lockdown hides their texts. */
async function withMatches(
  repository: Repository,
  commits: readonly LogEntry[],
  options: LogOptions,
  command: GitCommand,
): Promise<LogEntry[]> {
  const visible = commits.filter(({ email }) => repository.isTrusted?.(email) !== false).map(({ hash }) => hash);
  const search = options.lineRange === undefined ? matchedLines(repository, visible, options) : rangeChanges(repository, command);
  const lines = await search;
  const isVisible = new Set(visible);
  return commits.map((commit) => {
    const match = isVisible.has(commit.hash) ? lines.get(commit.hash) : undefined;
    return match === undefined || match === "" ? commit : { ...commit, match };
  });
}

function checkOptions(options: LogOptions): void {
  const { author, grep, pickaxe, grepDiff, follow, paths, revision, all } = options;
  if (all && revision !== undefined) throw new GitError("invalid", "all_branches and revision exclude each other: leave one of them out.");
  for (const pattern of [author, grep, grepDiff]) checkPattern(pattern);
  // git would take its next argument as the text.
  if (grepDiff === "") throw new GitError("invalid", "grep_diff is empty: give the pattern to search, or leave grep_diff out.");
  if (pickaxe !== undefined && grepDiff !== undefined)
    throw new GitError("invalid", "pickaxe and grep_diff exclude each other: leave one of them out.");
  checkLineRange(options);
  if (pickaxe === "") throw new GitError("invalid", "pickaxe is empty: give the text to search, or leave pickaxe out.");
  if (follow && paths.length !== 1) throw new GitError("invalid", "follow needs exactly one path: give one in paths.");
}

function queryOf({ state }: Repository, options: LogOptions): readonly unknown[] {
  const { revision = "HEAD", all, paths, since, until, author, grep, pickaxe, follow, firstParent, stat } = options;
  const { grepDiff, lineRange } = options;
  return ["log", state.gitDir, revision, all, paths, since, until, author, grep, pickaxe, grepDiff, lineRange, follow, firstParent, stat];
}

async function startOf(
  repository: Repository,
  query: readonly unknown[],
  { cursor, revision = "HEAD", all, signal }: LogOptions,
): Promise<LogPosition> {
  const tips = async (): Promise<LogTips> =>
    all ? await allTips(repository, signal) : { ids: await tipsOf(repository, revision, signal), broken: [] };
  if (cursor === undefined) {
    const { ids, broken } = await tips();
    return { tips: ids, skip: 0, broken };
  }
  const [anchor = "", skip = "0"] = repository.cursors.open(query, cursor).split(" ");
  if (!anchor.startsWith(DIGEST)) return { tips: anchor.split(","), skip: Number(skip) };
  const { ids: now, broken } = await tips();
  if ((await anchorOf(now)) === anchor) return { tips: now, skip: Number(skip), broken };
  throw new GitError("invalid", "The branches have changed since the first page. Leave the cursor out to start again.");
}

/** What a cursor keeps of the first page: its commits, or of many commits a digest. */
async function anchorOf(tips: readonly string[]): Promise<string> {
  if (tips.length <= MAX_TIPS_IN_CURSOR) return tips.join(",");
  // Loaded on first use: few repositories have so many branches, and a start does without it.
  const { createHash } = await import("node:crypto");
  return DIGEST + createHash("sha256").update(tips.join()).digest("base64url");
}

type Options = LogOptions & { readonly dates: readonly string[] };

function commandOf(repository: Repository, options: Options, { tips, skip }: LogPosition, dropped: number): GitCommand {
  const { maxCount, paths, follow, firstParent, stat, dates, author, grep, pickaxe, signal } = options;
  const { grepDiff, lineRange } = options;
  const args: GitArgument[] = [
    "log",
    "-z",
    `--format=${COMMIT_FORMAT}`,
    `--max-count=${dropped + maxCount + 1}`,
    "--no-show-signature",
    "--no-color",
    "--decorate=short",
    follow ? "--follow" : "--no-follow",
    ...(skip === 0 || dropped > 0 ? [] : [`--skip=${skip}`]),
    ...dates,
    // With -i these two would ignore letter case too.
    ...(pickaxe === undefined && grepDiff === undefined ? ["--regexp-ignore-case"] : []),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(grep === undefined ? [] : [`--grep=${grep}`]),
    ...(pickaxe === undefined ? [] : [`-S${pickaxe}`]),
    ...(grepDiff === undefined ? [] : [`-G${grepDiff}`]),
    ...(firstParent ? ["--first-parent"] : []),
    // Even without patches: the pickaxe reads files.
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=dirty",
    stat ? "--numstat" : "--no-patch",
    // Otherwise a merge has no counts. A search, also for the names of one file, would find each commit of a branch again in its merge.
    ...(stat && !follow && pickaxe === undefined && grepDiff === undefined ? ["--diff-merges=first-parent"] : []),
  ];
  if (lineRange !== undefined) return { args: [...args, lineRangeArgument(repository, lineRange, paths), ...tips, "--"], signal };
  // Names that are not UTF-8 cannot be arguments, and the length of a command line is limited.
  return paths.some(isByteName) || tips.length > MAX_TIPS_AS_ARGUMENTS
    ? { args: [...args, "--stdin"], input: pathLines(repository, tips, paths), signal }
    : { args: [...args, ...tips, ...pathArguments(repository, paths)], signal };
}

/** As many commits as fit; at least one. */
function fitCommits(found: readonly LogEntry[], { maxCount, maxJsonBytes }: LogOptions): LogEntry[] {
  let left = maxJsonBytes;
  const end = found.findIndex((commit, index) => index > 0 && (left -= jsonBytesOf(commit)) < 0);
  return found.slice(0, Math.min(maxCount, end === -1 ? maxCount : end));
}

/** A commit goes out twice: as text and as structured content. */
const jsonBytesOf = ({ body, subject, author, email, notes = "", stats = [] }: LogEntry): number =>
  2 * jsonStringBytes(body + subject + notes) + 2 * jsonStringBytes(author + email) + 500 + stats.length * 200;
