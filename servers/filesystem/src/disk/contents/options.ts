// What is searched for, and how ripgrep is told. Every value is joined to its switch, so none can be taken for one.
import { DiskError, clip } from "../errors.ts";

export type OutputMode = "content" | "files" | "count";

export interface ContentsOptions {
  readonly pattern: string;
  /** The pattern is plain text, no regular expression. Default false. */
  readonly literal?: boolean | undefined;
  /** Default true. */
  readonly caseSensitive?: boolean | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Lines before and after each match. Default 0, at most 20. */
  readonly contextLines?: number | undefined;
  readonly outputMode?: OutputMode | undefined;
  /** Matching lines on a page; files in the other modes. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Default true. */
  readonly respectGitignore?: boolean | undefined;
  readonly includeHidden?: boolean | undefined;
  /** What the page may weigh in the reply. */
  readonly maxBytes?: number | undefined;
  readonly timeLimitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the milliseconds since the start and the matching files so far, at once and then now and then. */
  readonly progress?: ((ms: number, files: number) => void) | undefined;
}

export const CONTENTS_LIMIT = 100;
export const MAX_CONTEXT = 20;
const MAX_PATTERN = 4096;
const MOST_LIMIT = 10_000;

export const limitOf = ({ limit = CONTENTS_LIMIT }: ContentsOptions): number => Math.min(limit, MOST_LIMIT);

/** Refuses what cannot be meant, before anything is started. */
export function checkPattern(pattern: string): void {
  if (pattern === "") throw new DiskError("invalid", "The pattern is empty; expected a text or a regular expression to look for.");
  if (pattern.length > MAX_PATTERN) {
    throw new DiskError("invalid", `Expected a pattern of at most ${MAX_PATTERN} characters, got ${pattern.length}: ${clip(pattern, 60)}`);
  }
  if (/[\n\r\0]/.test(pattern) || !pattern.isWellFormed()) {
    throw new DiskError("invalid", "The pattern holds a line break or a character that no line can hold: lines are searched one by one.");
  }
}

/** What a pattern may become is bounded: a repeat of repeats is refused instead of filling the memory. */
const BOUNDS = ["--engine=default", "--regex-size-limit=16M", "--dfa-size-limit=64M"];
const PLAIN = ["--no-config", "--no-messages", "--no-mmap", "--color=never", "--path-separator=/", "--crlf"];

/** For both steps. */
export function questionArguments({ pattern, literal = false, caseSensitive = true }: ContentsOptions): string[] {
  return [
    ...PLAIN,
    ...BOUNDS,
    literal ? "--fixed-strings" : "--no-fixed-strings",
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    `--regexp=${pattern}`,
  ];
}

/** The files below a directory that match. What lies above it, or in the user's home, has no say. */
export function namesArguments(options: ContentsOptions, narrowing: readonly string[]): string[] {
  const ignoring = options.respectGitignore === false ? ["--no-ignore"] : ["--no-require-git"];
  return [
    ...questionArguments(options),
    "--files-with-matches",
    "--null",
    "--no-follow",
    ...ignoring,
    "--no-ignore-parent",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--no-ignore-files",
    ...(options.includeHidden === true ? ["--hidden", "--glob=!.git"] : []),
    ...narrowing,
    "--",
    "./",
  ];
}

const SHAPES: Readonly<Record<OutputMode, readonly string[]>> = {
  content: ["--json"],
  files: ["--files-with-matches", "--null"],
  count: ["--count", "--null", "--with-filename"],
};

/** Inside the files that are named, in their order. They are known to be text. */
export function filesArguments(options: ContentsOptions, names: readonly string[]): string[] {
  const { outputMode = "content", contextLines = 0 } = options;
  const context = outputMode === "content" && contextLines > 0 ? [`--context=${contextLines}`] : [];
  return [...questionArguments(options), "--threads=1", "--text", ...SHAPES[outputMode], ...context, "--", ...names];
}

/** ripgrep's own words about a pattern that it cannot take, without its advice, which is about its switches. */
export function patternError(errors: string): DiskError {
  const text = errors
    .replaceAll(/^rg: /gm, "")
    .replace(/\n\s*Consider enabling [^]*/, "")
    .trim();
  return new DiskError("invalid", `The search could not be started: ${text.slice(0, 1000)}`);
}
