// Diffs of the work tree, of what is staged, and between commits: one git process, read as it comes.
import { Budget, type Omitted, type Place } from "./patch-budget.ts";
import { DiffStream, type FileDiff } from "./diff-parser.ts";
import { openCursor, sealCursor } from "../text/cursor.ts";
import { textOf } from "../text/file-names.ts";
import { pathArguments, pathLines } from "../safety/path-resolver.ts";
import type { Repository } from "../repository.ts";
import type { Run } from "../process/git-process.ts";
import { wireBytes } from "../text/json-size.ts";

export type DiffFormat = "patch" | "stat" | "names";

export interface DiffOptions {
  /** `git diff` and what it compares: ids and options from code. */
  readonly compare: readonly string[];
  readonly contextLines: number;
  readonly paths: readonly string[];
  readonly format: DiffFormat;
  readonly maxBytes: number;
  /** What the patches may weigh in JSON. */
  readonly maxWire: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Diff {
  readonly files: readonly FileDiff[];
  readonly omitted: readonly Omitted[];
  readonly nextCursor: string | undefined;
  /** There was more than is read: not all lines are counted. */
  readonly incomplete: boolean;
}

/** A diff larger than this is not read to its end. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Options of every diff: nothing external, one form whatever the configuration says. */
export const DIFF_FORM: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--no-relative",
  "-z",
  "--raw",
];

export const formArguments = (format: DiffFormat, contextLines: number): string[] =>
  format === "patch" ? ["-p", `-U${contextLines}`] : format === "stat" ? ["--numstat"] : [];

export async function diffOf(repository: Repository, options: DiffOptions): Promise<Diff> {
  const { compare, contextLines, paths, format, signal } = options;
  const question = ["diff", repository.facts.gitDir, compare, contextLines, paths, format];
  const from = placeOf(question, options.cursor);
  const budget = new Budget(options.maxBytes, options.maxWire, from, paths.length > 0);
  const stream = new DiffStream(format === "patch" ? budget : undefined);
  const args = [...compare, ...DIFF_FORM, ...formArguments(format, contextLines)];
  const incomplete = await readDiff(repository, among(repository, args, paths), stream, signal);
  if (format === "patch" && stream.combined.length > 0 && from.index === 0) await addCombined(repository, options, stream.files);
  return finished(stream.files, budget, question, incomplete);
}

/** A stash takes no paths as arguments. */
const among = (repository: Repository, args: readonly string[], paths: readonly string[]): Asked =>
  args[0] === "stash" && paths.length > 0
    ? { args: [...args, "--stdin"], input: pathLines(repository, [], paths) }
    : { args: [...args, ...pathArguments(repository, paths)] };

export function placeOf(question: readonly unknown[], cursor: string | undefined): Place {
  const [index = 0, offset = 0] = cursor === undefined ? [] : openCursor(question, cursor).split(":").map(Number);
  return { index, offset };
}

export function finished(files: FileDiff[], budget: Budget, question: readonly unknown[], incomplete: boolean): Diff {
  const { next, omitted } = budget;
  return { files, omitted, nextCursor: next && sealCursor(question, `${next.index}:${next.offset}`), incomplete };
}

type Asked = Pick<Run, "args" | "input">;

/** Runs git into the stream; true when it was stopped because there was too much. */
export async function readDiff(
  repository: Repository,
  asked: Asked,
  stream: { push(chunk: Buffer): void; end(): void },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let size = 0;
  const { cut } = await repository.run({
    ...asked,
    signal,
    onStdout(chunk) {
      size += chunk.length;
      stream.push(chunk);
      return size <= MOST_BYTES;
    },
  });
  stream.end();
  return cut;
}

/** Files in conflict have a form of their own, which git does not tell beside the list of files. */
async function addCombined(
  repository: Repository,
  { compare, contextLines, paths, maxWire, signal }: DiffOptions,
  files: FileDiff[],
): Promise<void> {
  const form = DIFF_FORM.filter((option) => option !== "-z" && option !== "--raw");
  const args = [...compare, ...form, `-U${contextLines}`, "--diff-filter=U", ...pathArguments(repository, paths)];
  const { stdout } = await repository.run({ args, signal, maxBytes: 1024 * 1024 });
  const patches = textOf(stdout)
    // Lines of a file have a sign before them; those that begin so are git's own. It names files without both sides in the stream.
    .split(/^(?=diff --cc |\* Unmerged path )/m)
    .filter((patch) => patch.startsWith("diff --cc "));
  let room = maxWire;
  for (const file of files.filter(({ status }) => status === "unmerged")) {
    const patch = patches.shift();
    if (patch === undefined || (room -= wireBytes(patch)) < 0) return;
    file.patch = patch;
  }
}
