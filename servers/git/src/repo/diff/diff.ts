// Diffs of the work tree, of the index, and between commits: one git process, parsed while it writes.
import { jsonStringBytes } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { hidesPatches } from "../lockdown/hidden-texts.ts";
import { addNotice } from "../messages/notices.ts";
import { noticeUntracked } from "../history/similar-paths.ts";
import { MISSING_OBJECT } from "../process/git-failure.ts";
import type { GitCommand, GitResult } from "../process/git-process.ts";
import { comparesWorkTree } from "../process/read-command.ts";
import type { Repository } from "../repository.ts";
import { pathArguments, pathLines } from "../safety/path-resolver.ts";
import { decodeText } from "../text/file-names.ts";
import { DiffParser } from "./diff-parser.ts";
import { addSizes } from "./file-sizes.ts";
import type { FileDiff } from "./file-diff.ts";
import { noticeUtf16 } from "./utf16-notice.ts";
import { PatchBudget, type OmittedPatch, type PagePosition } from "./patch-budget.ts";

export const DIFF_FORMATS = ["patch", "stat", "names", "sizes"] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

export interface DiffPageOptions {
  readonly contextLines: number;
  readonly format: DiffFormat;
  /** Bytes of all patches of a page. */
  readonly maxBytes: number;
  /** Bytes of all patches of a page as JSON strings. */
  readonly maxJsonBytes: number;
  /** Bytes that the patches of many files leave to the names of those that are left out. Default 0. */
  readonly reservedNameBytes?: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DiffOptions extends DiffPageOptions {
  /** The git command and its operands, such as `["diff", "--cached"]`. Never text from a caller. */
  readonly compare: readonly string[];
  readonly paths: readonly string[];
}

export interface Diff {
  readonly files: readonly FileDiff[];
  readonly omitted: readonly OmittedPatch[];
  readonly nextCursor: string | undefined;
  /** The diff is larger than this server reads: some files and lines are not counted. */
  readonly isIncomplete: boolean;
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_COMBINED_BYTES = 1024 * 1024;

/** Options of every diff: no external programs, and one format whatever the configuration says. */
const FIXED_OPTIONS: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--no-relative",
];

export async function readDiff(repository: Repository, given: DiffOptions): Promise<Diff> {
  const isHidden = await hidesPatches(repository, given, () => commitsBetween(given.compare));
  const options = isHidden ? { ...given, format: "stat" as const } : given;
  const { compare, paths, contextLines, format } = options;
  const page = new DiffPage(repository, ["diff", repository.state.gitDir, compare, contextLines, paths, format], options, paths.length > 0);
  const args = [...compare, ...page.arguments];
  // `git stash show` takes no paths as arguments.
  const isStash = compare[0] === "stash" && paths.length > 0;
  const read = readerOf(repository, compare);
  await page.read(
    isStash
      ? { args: [...args, "--stdin"], input: pathLines(repository, [], paths) }
      : { args: [...args, ...pathArguments(repository, paths)] },
    page.parser,
    read,
  );
  if (format === "patch" && page.isFirst && page.parser.combined.length > 0)
    await addCombinedPatches(repository, options, page.parser.files);
  if (compare.includes("--cached")) await requireHead(repository, page.parser.files, options.signal);
  if (page.isFirst && comparesWorkTree(compare)) noticeUtf16(repository, page.parser.files);
  if (page.isFirst && page.parser.files.length === 0 && compare[0] === "diff") await noticeUntracked(repository, paths, options.signal);
  return page.result();
}

/** For `git log`: the commits that the compared states do not share; none where only the work tree or the index is looked at. */
function commitsBetween([command, ...operands]: readonly string[]): string[] {
  const [from, to = "HEAD"] = command === "diff" ? operands.filter((operand) => !operand.startsWith("-")) : [];
  return from === undefined ? [] : [`${from}...${to}`];
}

/** Where git does not find the commit at HEAD, it takes all files for added. Throws a {@link GitError} then. */
async function requireHead(repository: Repository, files: readonly FileDiff[], signal?: AbortSignal): Promise<void> {
  if (files.some(({ status }) => status !== "added")) return;
  const head = await repository.headCommit(signal);
  if (head === undefined || files.length === 0) return;
  if (typeof (await repository.object(head, undefined, signal)) === "string") throw new GitError("failed", MISSING_OBJECT);
}

type RunGit = (command: GitCommand) => Promise<GitResult>;

const readerOf = (repository: Repository, compare: readonly string[]): RunGit =>
  comparesWorkTree(compare) ? (command) => repository.readWorkTree(command) : (command) => repository.read(command);

/** One page of a diff: its cursor, its budget and its parser. */
export class DiffPage {
  readonly parser: DiffParser;
  readonly #repository: Repository;
  readonly #query: readonly unknown[];
  readonly #options: DiffPageOptions;
  readonly #from: PagePosition;
  readonly #budget: PatchBudget;
  #isIncomplete = false;

  /** `query`: everything that decides what the diff holds. Throws for a cursor of another query. */
  constructor(repository: Repository, query: readonly unknown[], options: DiffPageOptions, hasPaths = false) {
    const { maxBytes, maxJsonBytes, reservedNameBytes = 0, cursor, format } = options;
    const [index = 0, offset = 0] = cursor === undefined ? [] : repository.cursors.open(query, cursor).split(":").map(Number);
    this.#repository = repository;
    this.#query = query;
    this.#options = options;
    this.#from = { index, offset };
    this.#budget = new PatchBudget({ maxBytes, maxJsonBytes, reservedNameBytes, from: this.#from, hasPaths });
    this.parser = new DiffParser(format === "patch" ? this.#budget : undefined);
  }

  get isFirst(): boolean {
    return this.#from.index === 0;
  }

  /** Options of git for the output that the parser reads. */
  get arguments(): string[] {
    const { format, contextLines } = this.#options;
    const details =
      format === "patch" ? ["-p", `-U${contextLines}`] : format === "stat" ? ["--numstat"] : format === "sizes" ? ["--no-abbrev"] : [];
    return [...FIXED_OPTIONS, "-z", "--raw", ...details];
  }

  /** Runs git into `target`, which is the parser or hands its input on to it. */
  async read(
    command: Pick<GitCommand, "args" | "input">,
    target: { push(chunk: Buffer): void; end(): void },
    read: RunGit = (all) => this.#repository.read(all),
  ): Promise<void> {
    let size = 0;
    const onStdout = (chunk: Buffer): boolean => {
      size += chunk.length;
      target.push(chunk);
      return size <= MAX_OUTPUT_BYTES;
    };
    const { isTruncated } = await read({ ...command, signal: this.#options.signal, onStdout });
    target.end();
    this.#isIncomplete = isTruncated;
    if (this.#options.format === "sizes") await addSizes(this.#repository, this.parser.objectIds, this.#options.signal);
  }

  result(): Diff {
    const { next, omitted, hasShortenedLines } = this.#budget;
    if (hasShortenedLines)
      addNotice(
        "[long lines are cut around what changed in them, as …[column N of LENGTH]: stage such a file whole; git_show with path reads it]",
      );
    const nextCursor = next && this.#repository.cursors.seal(this.#query, `${next.index}:${next.offset}`);
    return { files: this.parser.files, omitted, nextCursor, isIncomplete: this.#isIncomplete };
  }
}

/** Reads the patches of files in conflict, which git does not print together with the list of files. */
async function addCombinedPatches(
  repository: Repository,
  { compare, contextLines, paths, maxJsonBytes, signal }: DiffOptions,
  files: readonly FileDiff[],
): Promise<void> {
  const args = [...compare, ...FIXED_OPTIONS, `-U${contextLines}`, "--diff-filter=U", ...pathArguments(repository, paths)];
  const { stdout } = await readerOf(repository, compare)({ args, signal, maxBytes: MAX_COMBINED_BYTES });
  const patches = decodeText(stdout)
    // Lines of a file begin with a sign, so these beginnings are git's own.
    .split(/^(?=diff --cc |\* Unmerged path )/m)
    .filter((patch) => patch.startsWith("diff --cc "));
  let bytesLeft = maxJsonBytes;
  for (const file of files.filter(({ status }) => status === "unmerged")) {
    const patch = patches.shift();
    if (patch === undefined || (bytesLeft -= jsonStringBytes(patch)) < 0) return;
    file.patch = patch;
  }
}
