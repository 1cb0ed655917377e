// Who wrote which lines: git says which lines belong together, and the lines themselves are read once, from where they stand.
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { checkIgnoredRevisions } from "../safety/ignore-revisions-check.ts";
import { mustNotLeadThroughLink } from "../safety/symlink-checks.ts";
import { bytesOf, textOf } from "../text/file-names.ts";
import { argumentOf, placeOf, relativePath } from "../safety/path-resolver.ts";
import type { Repository } from "../repository.ts";
import { objectAt } from "./show.ts";

export interface BlameOptions {
  readonly path: string;
  readonly start: number;
  readonly end: number | undefined;
  /** A commit id; without one the file as it is in the work tree. */
  readonly commit: string | undefined;
  readonly ignoreWhitespace: boolean;
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Hunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly summary: string;
  /** The name that the file had then, where it is another. */
  readonly oldPath?: string;
}

export interface Blame {
  readonly hunks: readonly Hunk[];
  /** Lines from `start` on; `\n` and `\r` taken off. */
  readonly lines: readonly string[];
  readonly path: string;
  readonly totalLines: number;
}

const MOST_BYTES = 64 * 1024 * 1024;

export async function blameOf(repository: Repository, options: BlameOptions): Promise<Blame> {
  const path = relativePath(repository, options.path);
  checkIgnoredRevisions(repository);
  if (options.commit === undefined) {
    repository.needsWorkTree();
    mustNotLeadThroughLink(repository, path, options.path);
  }
  if (options.end !== undefined && options.end < options.start) throw new GitError("invalid", "end_line lies before start_line.");
  // Git goes first: the lines are cut while it works.
  const [said, lines] = await Promise.all([hunksOf(repository, options), linesOf(repository, path, options)]);
  if (options.start > Math.max(1, lines.length)) throw tooShort(path, lines.length);
  const end = Math.min(options.end ?? lines.length, lines.length);
  return { hunks: merged(said, path), lines: lines.slice(options.start - 1, end), path, totalLines: lines.length };
}

async function linesOf(repository: Repository, path: string, { commit, signal }: BlameOptions): Promise<string[]> {
  const bytes = commit === undefined ? fileBytes(repository, path) : await blobBytes(repository, commit, path, signal);
  if (bytes === undefined) return [];
  const lines = textOf(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

function fileBytes(repository: Repository, path: string): Buffer | undefined {
  const full = placeOf(repository, bytesOf(path));
  // A link is what it says, not what it leads to.
  const stat = lstatSync(full, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) return readlinkSync(full, { encoding: "buffer" });
  if (stat === undefined || !stat.isFile()) return undefined; // git says it in its words
  if (stat.size > MOST_BYTES) throw new GitError("too-large", `${clip(path)} is larger than this server blames (${MOST_BYTES} bytes).`);
  return readFileSync(full);
}

async function blobBytes(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<Buffer> {
  const found = await objectAt(repository, commit, path, MOST_BYTES, signal);
  if (found.type !== "blob") throw new GitError("invalid", `${clip(path)} is a folder: give a file.`);
  if (found.size > MOST_BYTES) throw new GitError("too-large", `${clip(path)} is larger than this server blames (${MOST_BYTES} bytes).`);
  return found.bytes;
}

const tooShort = (path: string, count: number): GitError =>
  new GitError("invalid", `${clip(path)} has only ${count} ${count === 1 ? "line" : "lines"}.`);

interface Said {
  readonly start: number;
  readonly count: number;
  readonly hash: string;
  readonly about: About;
}

interface About {
  author: string;
  date: string;
  summary: string;
  file: string;
}

async function hunksOf(repository: Repository, options: BlameOptions): Promise<Said[]> {
  const { path, start, end, commit, ignoreWhitespace, follow, signal } = options;
  const whole = start === 1 && end === undefined;
  const run = (last: number | undefined) =>
    repository.try({
      args: [
        "blame",
        // Not --incremental, which writes out every hunk by itself: a fifth of the time.
        "--porcelain",
        "--no-textconv",
        ...(whole ? [] : [`-L${start},${last ?? ""}`]),
        ...(ignoreWhitespace ? ["-w"] : []),
        ...(follow ? ["-C"] : []),
        ...(commit === undefined ? [] : [commit]),
        "--",
        argumentOf(repository, path),
      ],
      signal,
      maxBytes: 256 * 1024 * 1024,
    });
  let ran = await run(end);
  const [, count] = /has only (\d+) lines?/.exec(ran.stderr) ?? [];
  if (count !== undefined) {
    if (Number(count) < start) throw tooShort(path, Number(count));
    ran = await run(Number(count));
  }
  if (ran.code !== 0) {
    if (/no such ref: HEAD/.test(ran.stderr)) throw new GitError("not-found", "There are no commits yet: no line has a history.");
    if (/no such path/.test(ran.stderr))
      throw new GitError("not-found", `git knows no ${clip(path)}${commit === undefined ? " here" : " in that revision"}.`);
    throw failure(repository, ran, ["blame"]);
  }
  return parse(ran.stdout.toString("latin1"));
}

/** `output` has a letter for each byte: only the words that are shown are decoded, the lines of the file are read elsewhere. */
function parse(output: string): Said[] {
  const found: Said[] = [];
  const known = new Map<string, About>();
  let at = 0;
  const line = (): string => {
    const end = output.indexOf("\n", at);
    const text = output.slice(at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  while (at < output.length) {
    const [hash = "", , first = "0", count] = line().split(" ");
    const about: About = known.get(hash) ?? { author: "", date: "", summary: "", file: "" };
    const told: Partial<About> = {};
    let time = 0;
    for (let text = line(); !text.startsWith("\t") && at < output.length; text = line()) {
      const end = text.indexOf(" ");
      const key = end === -1 ? text : text.slice(0, end);
      const value = text.slice(key.length + 1);
      if (key === "author") told.author = decoded(value);
      else if (key === "author-time") time = Number(value);
      else if (key === "author-tz") told.date = zoned(time, value);
      else if (key === "summary") told.summary = decoded(value);
      else if (key === "filename") told.file = decoded(value);
    }
    // The first line of some that belong together says how many they are.
    if (count === undefined) continue;
    const whole = { ...about, ...told };
    known.set(hash, whole);
    found.push({ start: Number(first), count: Number(count), hash, about: whole });
  }
  return found.sort((a, b) => a.start - b.start);
}

const decoded = (bytes: string): string => textOf(Buffer.from(bytes, "latin1"));

/** ISO 8601 in the author's own zone. */
function zoned(seconds: number, zone: string): string {
  const [, sign = "+", hours = "00", minutes = "00"] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const shift = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
  const time = new Date((seconds + shift) * 1000);
  return Number.isNaN(time.getTime()) ? "" : `${time.toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

/** Neighbours of one commit are one hunk. */
function merged(said: readonly Said[], path: string): Hunk[] {
  const hunks: { -readonly [K in keyof Hunk]: Hunk[K] }[] = [];
  for (const { start, count, hash, about } of said) {
    const last = hunks.at(-1);
    const { file, ...facts } = about;
    const oldPath = file === path || file.startsWith('"') ? undefined : file;
    if (last !== undefined && last.hash === hash && last.endLine + 1 === start && last.oldPath === oldPath)
      last.endLine = start + count - 1;
    else hunks.push({ startLine: start, endLine: start + count - 1, hash, ...facts, ...(oldPath !== undefined && { oldPath }) });
  }
  return hunks;
}
