// The history, page by page. A page is anchored to the commit where the first one began, so that commits that land meanwhile shift
// nothing.
import { COMMIT_FIELDS, COMMIT_FORMAT, commitOf, type Commit } from "./commit-record.ts";
import { openCursor, sealCursor } from "../text/cursor.ts";
import { GitError } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { isOdd, nameOf, textOf } from "../text/file-names.ts";
import { fieldsOf, records } from "../process/nul-records.ts";
import { pathArguments, pathLines } from "../safety/path-resolver.ts";
import { checkPattern } from "../safety/pattern-check.ts";
import type { Repository } from "../repository.ts";
import { checkRevision, rangeOf } from "../refs/revision-syntax.ts";
import { wireBytes } from "../text/json-size.ts";

export interface LogOptions {
  readonly maxCount: number;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly revision?: string | undefined;
  readonly paths: readonly string[];
  readonly author?: string | undefined;
  readonly grep?: string | undefined;
  readonly pickaxe?: string | undefined;
  readonly follow: boolean;
  readonly firstParent: boolean;
  readonly stat: boolean;
  readonly cursor?: string | undefined;
  /** What all commits may weigh in JSON. */
  readonly maxWire: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FileStat {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

export interface Logged extends Commit {
  readonly stats?: readonly FileStat[];
}

export interface Log {
  readonly commits: readonly Logged[];
  readonly nextCursor: string | undefined;
}

export async function logOf(repository: Repository, options: LogOptions): Promise<Log> {
  const { maxCount, paths, follow, firstParent, stat, maxWire, signal } = options;
  const { since, until, revision = "HEAD", author, grep, pickaxe } = options;
  for (const pattern of [author, grep]) checkPattern(pattern);
  // Git would take the next option for the text.
  if (pickaxe === "") throw new GitError("invalid", "pickaxe is empty: give the text to look for, or leave it out.");
  if (follow && paths.length !== 1) throw new GitError("invalid", "follow needs exactly one path.");
  const question = ["log", repository.facts.gitDir, revision, paths, since, until, author, grep, pickaxe, follow, firstParent, stat];
  const place = options.cursor === undefined ? undefined : openCursor(question, options.cursor);
  const [anchor = "", skip = "0"] = place?.split(" ") ?? [];
  const tips = place === undefined ? await tipsOf(repository, revision, signal) : anchor.split(",");
  // Git looks at these only when it shows a commit, and --skip has counted by then those that are not shown.
  const shownLater = follow || pickaxe !== undefined ? Number(skip) : 0;
  if (tips.length === 0) return { commits: [], nextCursor: undefined };
  const args = [
    "log",
    "-z",
    `--format=${COMMIT_FORMAT}`,
    `--max-count=${shownLater + maxCount + 1}`,
    "--no-show-signature",
    "--no-color",
    "--decorate=short",
    follow ? "--follow" : "--no-follow",
    ...(skip === "0" || shownLater > 0 ? [] : [`--skip=${skip}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(grep === undefined ? [] : [`--grep=${grep}`]),
    ...(pickaxe === undefined ? [] : [`-S${pickaxe}`]),
    ...(firstParent ? ["--first-parent"] : []),
    // Also where no patch is shown: a search for text looks into files.
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=dirty",
    stat ? "--numstat" : "--no-patch",
  ];
  const asked = { ...where(repository, args, tips, paths), signal };
  const ran = await repository.try(asked);
  if (place !== undefined && ran.code !== 0 && /bad (?:object|revision)/.test(ran.stderr))
    throw new GitError("invalid", "The commits that this cursor began at are gone from the repository: leave it out to start again.");
  if (ran.code !== 0 && !ran.cut) throw failure(repository, ran, asked.args);
  const { stdout, cut } = ran;
  const read = stat ? withStats(stdout) : plain(fieldsOf(stdout));
  // The last one may have come in part; it begins the next page. One alone is clipped in any case.
  if (cut && read.length > 1) read.pop();
  const found = read.slice(shownLater);
  if (cut && found.length === 0)
    throw new GitError(
      "too-large",
      "The messages up to this page are larger than this server reads at once: give a smaller range, or dates.",
    );
  let room = maxWire;
  // Escapes make a text six times as long at most, and it goes out twice.
  const fit =
    12 * stdout.length + 600 * found.length < maxWire ? -1 : found.findIndex((commit, at) => at > 0 && (room -= weigh(commit)) < 0);
  const shown = found.slice(0, Math.min(maxCount, fit === -1 ? maxCount : fit));
  const more = cut || found.length > shown.length;
  const place2 = `${tips.join(",")} ${Number(skip) + shown.length}`;
  return { commits: shown, nextCursor: more ? sealCursor(question, place2) : undefined };
}

/** Names that are no text are read from a pipe, as an argument cannot hold them. */
function where(repository: Repository, args: readonly string[], tips: readonly string[], paths: readonly string[]) {
  if (!paths.some(isOdd)) return { args: [...args, ...tips, ...pathArguments(repository, paths)] };
  return { args: [...args, "--stdin"], input: pathLines(repository, tips, paths) };
}

/** Ids to begin at and, with ^, to leave out. None before the first commit. */
async function tipsOf(repository: Repository, revision: string, signal?: AbortSignal): Promise<string[]> {
  if (revision === "HEAD") {
    const head = await repository.headCommit(signal);
    return head === undefined ? [] : [head];
  }
  const range = rangeOf(revision);
  if (range === undefined) {
    checkRevision(revision);
    return [await repository.commit(revision, signal)];
  }
  const [from, to] = await Promise.all([repository.commit(range.from, signal), repository.commit(range.to, signal)]);
  return range.symmetric ? [`${from}...${to}`] : [to, `^${from}`];
}

const weigh = (commit: Logged): number =>
  2 * wireBytes(commit.body + commit.subject) + 2 * wireBytes(commit.author + commit.email) + 500 + (commit.stats?.length ?? 0) * 200;

function plain(all: readonly string[]): Logged[] {
  const found: Logged[] = [];
  for (let at = 0; at + COMMIT_FIELDS <= all.length; at += COMMIT_FIELDS) found.push(commitOf(all, at));
  return found;
}

const NUMBERS = /^\n?(\d+|-)\t(\d+|-)\t([^]*)$/;

/** Numbers of files stand between the commits; a renamed file is named in two fields of its own. */
function withStats(output: Buffer): Logged[] {
  const all = records(output);
  const found: { commit: Commit; stats: FileStat[] }[] = [];
  let at = 0;
  while (at < all.length) {
    const field = all[at] ?? Buffer.alloc(0);
    const [, added, deleted, name = ""] = NUMBERS.exec(field.toString("latin1")) ?? [];
    const last = found.at(-1);
    if (added !== undefined && last !== undefined) {
      const renamed = name === "";
      const path = nameOf(renamed ? (all[at + 2] ?? field) : field.subarray(field.indexOf(9, field.indexOf(9) + 1) + 1));
      last.stats.push({ path, additions: Number(added) || 0, deletions: Number(deleted) || 0, binary: added === "-" });
      at += renamed ? 3 : 1;
    } else {
      found.push({ commit: commitOf(all.slice(at, at + COMMIT_FIELDS).map(textOf)), stats: [] });
      at += COMMIT_FIELDS;
    }
  }
  return found.map(({ commit, stats }) => ({ ...commit, stats }));
}
