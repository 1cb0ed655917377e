// What is searched for, and how ripgrep is told. Every value is joined to its switch, so none can be taken for one.
import { DiskError, clip } from "../../errors.ts";

export type OutputMode = "content" | "files" | "count";

export interface ContentsOptions {
  readonly pattern: string;
  /** The pattern is plain text, no regular expression. Default false. */
  readonly literal?: boolean | undefined;
  /** Default true. */
  readonly caseSensitive?: boolean | undefined;
  /** A match may span lines. Default false. */
  readonly multiline?: boolean | undefined;
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
/** A file is held whole where matches may span lines, and so are all of its matches: at most some seventy bytes of memory for each byte. */
export const MULTILINE_BYTES = 8 * 1024 * 1024;

export const limitOf = ({ limit = CONTENTS_LIMIT }: ContentsOptions): number => Math.min(limit, MOST_LIMIT);

const LINE_BY_LINE = "lines are searched one by one: pass multiline for matches that span lines.";

/** Refuses what cannot be meant, before anything is started. */
export function checkPattern({ pattern, multiline = false }: ContentsOptions): void {
  if (pattern === "") throw new DiskError("invalid", "The pattern is empty; expected a text or a regular expression to look for.");
  if (pattern.length > MAX_PATTERN) {
    throw new DiskError("invalid", `Expected a pattern of at most ${MAX_PATTERN} characters, got ${pattern.length}: ${clip(pattern, 60)}`);
  }
  if (/\0/.test(pattern) || !pattern.isWellFormed()) throw new DiskError("invalid", "The pattern holds a character that no text can hold.");
  if (!multiline && /[\n\r]/.test(pattern)) {
    throw new DiskError("invalid", `The pattern holds a line break, but ${LINE_BY_LINE}`);
  }
}

/** What a pattern may become is bounded: a repeat of repeats is refused instead of filling the memory. */
const BOUNDS = ["--engine=default", "--regex-size-limit=16M", "--dfa-size-limit=64M"];
const PLAIN = ["--no-config", "--no-messages", "--no-mmap", "--color=never", "--path-separator=/", "--crlf"];

/** For both steps. */
export function questionArguments({ pattern, literal = false, caseSensitive = true, multiline = false }: ContentsOptions): string[] {
  const isText = literal && !(multiline && /[\n\r]/.test(pattern));
  return [
    ...PLAIN,
    ...BOUNDS,
    isText ? "--fixed-strings" : "--no-fixed-strings",
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(multiline ? ["--multiline", `--max-filesize=${MULTILINE_BYTES}`] : ["--no-multiline"]),
    `--regexp=${literal && !isText ? anyLineEnds(pattern) : pattern}`,
  ];
}

/** A text of several lines as an expression, whichever line ends it and the file have. */
const anyLineEnds = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`).replaceAll("\r", String.raw`\r`))
    .join(String.raw`\r?\n`);

/** The text files below a directory. What lies above it, or in the user's home, has no say. */
export function namesArguments(options: ContentsOptions, narrowing: readonly string[]): string[] {
  const ignoring = options.respectGitignore === false ? ["--no-ignore"] : ["--no-require-git"];
  return [
    ...questionArguments(options),
    // Each file that is looked into, and whether it matches.
    "--count",
    "--include-zero",
    "--max-count=1",
    "--with-filename",
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
  // Lines that matches of several lines begin on are counted here.
  const shape = SHAPES[options.multiline === true && outputMode === "count" ? "content" : outputMode];
  return [...questionArguments(options), "--threads=1", "--text", ...shape, ...context, "--", ...names];
}

/** ripgrep's own words about a pattern that it cannot take, without its advice, which is about its switches. */
export function patternError(errors: string): DiskError {
  const text = errors
    .replaceAll(/^rg: /gm, "")
    .replace(/\n\s*Consider enabling [^]*/, "")
    .trim();
  // A line break may be written in many ways, so it is ripgrep that finds it.
  if (/the literal "\\[nr]" is not allowed in a regex/.test(text)) {
    return new DiskError("invalid", `The pattern means a line break, but ${LINE_BY_LINE}`);
  }
  return new DiskError("invalid", `The search could not be started: ${text.slice(0, 1000)}`);
}
