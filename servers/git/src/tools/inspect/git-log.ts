// git_log: the history, in pages that do not shift when commits are added.
import { ui } from "@oarlock/extensions/apps";
import { tool, type InferOutput, type InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { commitText } from "../../repo/history/commit-record.ts";
import { readLog } from "../../repo/history/log.ts";
import type { FileStat, LogEntry } from "../../repo/history/log-parser.ts";
import { items, z, result, repo_path, paths, optionalWord, object, flag, cursor, count } from "../../schema.ts";
import { brokenRefsNotice } from "../broken-refs.ts";
import { historyView } from "../../views.ts";
import { DEFAULT_TEXT_BYTES, pageMembers, toObjects, withPageNotices } from "../structured.ts";

const DEFAULT_COUNT = 10;
const MAX_COUNT = 5000;
const MAX_BROKEN = 100;
/** The part of a reply that commits may take; the rest is for the JSON around them. */
export const COMMIT_SHARE = 0.8;

export const logArguments = () =>
  object({
    repo_path,
    max_count: count(`Default ${DEFAULT_COUNT}`),
    start_timestamp: optionalWord("Not before"),
    end_timestamp: optionalWord("Not after"),
    revision: optionalWord("Branch, commit or a..b"),
    all_branches: flag("All branches and tags"),
    paths,
    author: optionalWord("Pattern, any case"),
    grep: optionalWord("Pattern in the message, any case"),
    pickaxe: optionalWord("Text whose count changed"),
    grep_diff: optionalWord("Pattern in changed lines"),
    line_range: optionalWord("START,END: lines of the one path"),
    follow: flag("Follow renames of one path"),
    first_parent: flag("First parents only"),
    stat: flag("Add changed lines per file"),
    oneline: flag("A line per commit"),
    cursor,
  });

export const logResult = () =>
  result({
    commits: items(),
    truncated: z.boolean(),
    nextCursor: z.optional(z.string()),
  });

export const gitLog = (deps: Dependencies) =>
  tool({
    name: "git_log",
    title: "History",
    description: "List commits, newest first. Dates: ISO 8601 or words such as '2 weeks ago'.",
    input: logArguments,
    output: logResult,
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: historyView })],
    async run(input, ctx) {
      const mostBytes = Math.floor(deps.maxResultBytes * COMMIT_SHARE);
      // A commit goes out twice, as text and as structured content.
      const maxJsonBytes = input.max_count === undefined ? Math.min(mostBytes, 2 * DEFAULT_TEXT_BYTES) : mostBytes;
      const { commits, nextCursor, isClipped, structured, broken } = await readLogPage(deps, input, maxJsonBytes, ctx);
      const entries = commits.map(input.oneline ? entryLine : (commit) => entryText(commit, input.all_branches));
      const text = [...(commits.length === 0 ? ["No commits\n"] : entries), ...brokenRefsNotice(broken)].join("\n");
      return { content: withPageNotices(text, nextCursor, isClipped ? "long messages" : undefined, "Commit history:"), structured };
    },
  });

/** A page of the history, as `run` of a tool needs it. */
export async function readLogPage(
  deps: Dependencies,
  { repo_path: repoPath, max_count: maxCount, ...input }: InferOutput<ReturnType<typeof logArguments>>,
  maxJsonBytes: number,
  ctx: InteractiveContext,
) {
  const repository = await openRepository(deps, ctx, repoPath);
  const { start_timestamp: since, end_timestamp: until, first_parent: firstParent, all_branches: all, ...more } = input;
  const { grep_diff: grepDiff, line_range: lineRange, oneline, ...options } = more;
  const { commits, nextCursor, broken } = await readLog(repository, {
    ...options,
    all,
    maxCount: Math.min(maxCount ?? DEFAULT_COUNT, MAX_COUNT),
    since,
    until,
    firstParent,
    grepDiff,
    lineRange,
    maxJsonBytes,
    signal: ctx.signal,
  });
  const isClipped = !oneline && commits.some(({ clipped }) => clipped === true);
  const structured = {
    commits: toObjects(oneline ? commits.map(briefly) : commits),
    ...pageMembers(nextCursor, isClipped),
    ...(broken.length > 0 && { broken: broken.slice(0, MAX_BROKEN) }),
  };
  return { commits, nextCursor, isClipped, broken, structured };
}

/** What `oneline` keeps of a commit. */
const briefly = ({ hash, author, date, subject, stats, match }: LogEntry) => ({
  hash,
  author,
  date,
  subject,
  ...(stats && { stats }),
  ...(match !== undefined && { match }),
});

/** Digits of an id and characters of a date in a line. */
const ID_DIGITS = 12;
const DAY_LENGTH = 10;

function entryLine({ hash, author, date, refs, subject, stats = [], match }: LogEntry): string {
  const names = refs.length === 0 ? "" : ` (${refs.map(escapeControls).join(", ")})`;
  const line = `${hash.slice(0, ID_DIGITS)} ${date.slice(0, DAY_LENGTH)} ${escapeControls(author)}${names}: ${escapeControls(subject)}`;
  return [line, ...stats.map((stat) => statLine(stat).trimEnd()), ...(match === undefined ? [] : [matchLines(match)])].join("\n");
}

/** With all branches the names tell their commits apart. */
const entryText = (commit: LogEntry, hasRefs: boolean): string =>
  commitText(commit).replace("\n", () => (hasRefs ? refsLine(commit) : "\n")) +
  (commit.stats ?? []).map(statLine).join("") +
  (commit.match === undefined ? "" : `${matchLines(commit.match)}\n`);

const refsLine = ({ refs }: LogEntry): string => (refs.length === 0 ? "\n" : `\nRefs: ${refs.map(escapeControls).join(", ")}\n`);

const matchLines = (match: string): string => match.replaceAll(/^/gm, " ");

const statLine = ({ path, additions, deletions, binary }: FileStat): string =>
  ` ${escapeControls(path)} | ${binary ? "binary" : `+${additions} -${deletions}`}\n`;
