// The arguments of ripgrep for a search. Every value is joined to its switch, so none can pass for a switch.
import { MAX_MULTILINE_BYTES, meansCarriageReturn, meansLineBreak, type ContentsOptions, type OutputMode } from "../contents/options.ts";

/** A pattern that would compile to more than this is refused instead of filling the memory. */
const LIMITS = ["--engine=default", "--regex-size-limit=16M", "--dfa-size-limit=64M"];
const COMMON = ["--no-config", "--no-messages", "--no-mmap", "--color=never", "--path-separator=/"];

/** For the text files below the working directory: whether each matches. What lies above it, or in the user's home, has no say. */
export function directoryArguments(options: ContentsOptions, narrowing: readonly string[]): string[] {
  const ignoring = options.respectGitignore === false ? ["--no-ignore"] : ["--no-require-git", "--no-ignore-dot"];
  return [
    ...patternArguments(options),
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

/** For named files, in their order. They are known to be text. */
export function filesArguments(options: ContentsOptions, names: readonly string[]): string[] {
  const { outputMode = "content", contextLines = 0, multiline = false } = options;
  const context = outputMode === "content" && contextLines > 0 ? [`--context=${contextLines}`] : [];
  // With --count ripgrep counts matches; the lines on which they begin may be fewer.
  const format = FORMATS[multiline && outputMode === "count" ? "content" : outputMode];
  return [...patternArguments(options), "--threads=1", "--text", ...format, ...context, "--", ...names];
}

/** For a text on standard input: where it matches, and what takes the place of each match. */
export function replaceArguments(options: ContentsOptions & { readonly replacement: string }): string[] {
  return [
    ...patternArguments({ ...options, multiline: meansLineBreak(options), encoding: "none" }),
    "--text",
    "--json",
    `--replace=${options.replacement}`,
    "--",
    "-",
  ];
}

const FORMATS: Readonly<Record<OutputMode, readonly string[]>> = {
  content: ["--json"],
  files: ["--files-with-matches", "--null"],
  count: ["--count", "--null", "--with-filename"],
};

function patternArguments(options: ContentsOptions): string[] {
  const { pattern, literal = false, wholeWord = false, caseSensitive = true, multiline = false, encoding } = options;
  const isPlainText = literal && !(multiline && /[\n\r]/.test(pattern));
  return [
    ...COMMON,
    ...LIMITS,
    meansCarriageReturn(options) ? "--no-crlf" : "--crlf",
    ...(wholeWord ? ["--word-regexp"] : []),
    ...(encoding === undefined ? [] : [`--encoding=${encoding}`]),
    isPlainText ? "--fixed-strings" : "--no-fixed-strings",
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(multiline ? ["--multiline", `--max-filesize=${MAX_MULTILINE_BYTES}`] : ["--no-multiline"]),
    `--regexp=${literal && !isPlainText ? withAnyLineEndings(pattern) : pattern}`,
  ];
}

/** A text of several lines as an expression that matches it with LF and with CRLF. */
const withAnyLineEndings = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`).replaceAll("\r", String.raw`\r`))
    .join(String.raw`\r?\n`);
