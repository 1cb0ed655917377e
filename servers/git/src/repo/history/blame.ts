// Which commit last changed each line of a file. git names the commits; the lines are read once, from the file itself.
import { readlinkSync } from "node:fs";
import { clip, counted } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { HIDDEN } from "../lockdown/trusted-authors.ts";
import { markBoundaries, noticeHistoryLimits } from "../limits/history-limits.ts";
import { refuseLeftOut } from "../limits/sparse-checkout.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitResult } from "../process/git-process.ts";
import type { Repository } from "../repository.ts";
import { checkIgnoreRevisionsFile } from "../safety/ignore-revisions-check.ts";
import { absolutePath, pathArgument, relativePath } from "../safety/path-resolver.ts";
import { refuseSymlinkCrossing } from "../safety/symlink-checks.ts";
import { decodeText, nameFromText } from "../text/file-names.ts";
import { parseBlame, type Hunk } from "./blame-parser.ts";
import { readObjectAt } from "./object-at.ts";
import { suggestPaths } from "./similar-paths.ts";
import { enterableEntryAt } from "../safety/file-entry.ts";
import { readWorkTreeFile } from "../safety/work-tree-file.ts";

export interface BlameOptions {
  readonly path: string;
  /** Lines count from 1. */
  readonly start: number;
  readonly end: number | undefined;
  /** A commit id. Undefined: the file in the work tree. */
  readonly commit: string | undefined;
  readonly ignoreWhitespace: boolean;
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Blame {
  readonly hunks: readonly Hunk[];
  /** The lines from `start` on, without their line ends. */
  readonly lines: readonly string[];
  readonly path: string;
  readonly totalLines: number;
}

const BINARY_LOOK_BYTES = 8000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

export async function readBlame(repository: Repository, options: BlameOptions): Promise<Blame> {
  const { start, end, commit } = options;
  const path = relativePath(repository, options.path);
  checkIgnoreRevisionsFile(repository);
  if (commit === undefined) {
    repository.requireWorkTree();
    refuseSymlinkCrossing(repository, path, options.path);
  }
  if (end !== undefined && end < start) throw new GitError("invalid", `end_line ${end} lies before start_line ${start}. Swap them.`);
  const [output, lines] = await Promise.all([runBlame(repository, options), readLines(repository, path, options)]);
  if (start > Math.max(1, lines.length)) throw tooShort(path, lines.length);
  const last = Math.min(end ?? lines.length, lines.length);
  const hunks = markBoundaries(repository, parseBlame(output, path, repository.isTrusted));
  for (const { hidden, startLine, endLine } of hunks) if (hidden) lines.fill(HIDDEN, startLine - 1, endLine);
  await noticeHistoryLimits(repository, { listed: hunks.map(({ hash }) => hash), signal: options.signal });
  return { hunks, lines: lines.slice(start - 1, last), path, totalLines: lines.length };
}

async function readLines(repository: Repository, path: string, { commit, signal }: BlameOptions): Promise<string[]> {
  const bytes = commit === undefined ? readText(repository, path) : await readBlob(repository, commit, path, signal);
  if (bytes === undefined) return [];
  // As git tells it.
  if (bytes.subarray(0, BINARY_LOOK_BYTES).includes(0))
    throw new GitError(
      "invalid",
      `${clip(path)} is binary: it has no lines to blame. git_log with paths lists the commits that changed it.`,
    );
  const lines = decodeText(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Undefined where there is no file: git reports it. */
function readText(repository: Repository, path: string): Buffer | undefined {
  const full = absolutePath(repository, nameFromText(path));
  // git blames the text of a link, not the file behind it.
  if (enterableEntryAt(full)?.isSymbolicLink() === true) return readlinkSync(full, { encoding: "buffer" });
  const bytes = readWorkTreeFile(repository, path, MAX_FILE_BYTES);
  if (bytes === "too-large") throw tooLarge(path);
  return bytes;
}

async function readBlob(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<Buffer> {
  const { type, size, bytes } = await readObjectAt(repository, commit, path, MAX_FILE_BYTES, signal);
  if (type !== "blob") throw new GitError("invalid", `${clip(path)} is a folder: give a file.`);
  if (size > MAX_FILE_BYTES) throw tooLarge(path);
  return bytes;
}

const tooLarge = (path: string): GitError =>
  new GitError("too-large", `${clip(path)} is larger than this server blames (${MAX_FILE_BYTES} bytes). Use git itself.`);

const tooShort = (path: string, count: number): GitError =>
  new GitError("invalid", `${clip(path)} has only ${counted(count, "line")}. Give a smaller start_line.`);

async function runBlame(repository: Repository, options: BlameOptions): Promise<Buffer> {
  const { path, start, end } = options;
  let result = await blameLines(repository, options, end);
  // git refuses an end behind the last line, and names the number of lines.
  const [, count] = /has only (\d+) lines?/.exec(result.stderr) ?? [];
  if (count !== undefined) {
    if (Number(count) < start) throw tooShort(path, Number(count));
    result = await blameLines(repository, options, Number(count));
  }
  if (result.exitCode === 0) return result.stdout;
  if (/no such ref: HEAD/.test(result.stderr)) await repository.headCommit(options.signal);
  if (/no such ref: HEAD/.test(result.stderr)) throw new GitError("not-found", "There are no commits yet: no line has a history.");
  if (options.commit === undefined)
    await refuseLeftOut(repository, [path], "Give a revision, such as HEAD, to blame it as committed.", options.signal);
  if (/no such path/.test(result.stderr)) {
    const place = options.commit === undefined ? "here" : "in that revision";
    const nextStep = (await suggestPaths(repository, options.commit ?? "HEAD", path, options.signal)) ?? "Check the path.";
    throw new GitError("not-found", `git tracks no ${clip(path)} ${place}. ${nextStep}`);
  }
  throw gitFailure(repository, result, ["blame"]);
}

function blameLines(repository: Repository, options: BlameOptions, end: number | undefined): Promise<GitResult> {
  const { path, start, commit, ignoreWhitespace, follow, signal } = options;
  const isWholeFile = start === 1 && end === undefined;
  return repository.tryRead({
    args: [
      "blame",
      // --incremental would print each hunk as soon as it is known, and take five times as long.
      "--porcelain",
      "--no-textconv",
      ...(isWholeFile ? [] : [`-L${start},${end ?? ""}`]),
      ...(ignoreWhitespace ? ["-w"] : []),
      ...(follow ? ["-C"] : []),
      ...(commit === undefined ? [] : [commit]),
      "--",
      pathArgument(repository, path),
    ],
    signal,
    maxBytes: MAX_OUTPUT_BYTES,
  });
}
