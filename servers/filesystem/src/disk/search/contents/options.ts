// The options of a search by content, their defaults and bounds.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../../errors.ts";

export type OutputMode = "content" | "files" | "count";

export interface ContentsOptions {
  readonly pattern: string;
  /** The pattern is plain text instead of a regular expression. Default false. */
  readonly literal?: boolean | undefined;
  /** Only matches that no letter, digit or underscore touches. Default false. */
  readonly wholeWord?: boolean | undefined;
  /** Default true. */
  readonly caseSensitive?: boolean | undefined;
  /** A match may span lines. Default false. */
  readonly multiline?: boolean | undefined;
  /** The label of an encoding (encoding.spec.whatwg.org) that all files have. Default: by their marks and contents. */
  readonly encoding?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Lines before and after each match. Default 0, at most 20. */
  readonly contextLines?: number | undefined;
  readonly outputMode?: OutputMode | undefined;
  /** Matching lines on a page; files in the other modes. Default 100, at most 10,000. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Default true. */
  readonly respectGitignore?: boolean | undefined;
  readonly includeHidden?: boolean | undefined;
  /** The most bytes that the page may take in the reply. */
  readonly maxBytes?: number | undefined;
  /** Default 30 seconds. */
  readonly timeLimitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the milliseconds since the start and the matching files so far, at once and then regularly. */
  readonly progress?: ((ms: number, files: number) => void) | undefined;
}

export const DEFAULT_CONTENTS_LIMIT = 100;
const MAX_LIMIT = 10_000;
const MAX_CONTEXT_LINES = 20;
const MAX_PATTERN_LENGTH = 4096;
/** Where matches may span lines ripgrep holds a whole file and all of its matches: up to some seventy bytes of memory for each byte. */
export const MAX_MULTILINE_BYTES = 8 * 1024 * 1024;

export const LINE_BREAK_ADVICE = "lines are searched one by one. Pass multiline: true for matches that span lines.";

/** Of a pattern that was maybe meant as text. */
export const PLAIN_TEXT_ADVICE =
  "For plain text, write special characters such as ( and [ with a backslash before them, or pass literal: true (to replace: leave regex out).";

/** Whether a pattern is about carriage returns, beside `\r?\n` for a line break. Otherwise CRLF ends a line as LF does. */
export const meansCarriageReturn = ({ pattern, literal = false }: Pick<ContentsOptions, "pattern" | "literal">): boolean =>
  literal
    ? pattern.replaceAll("\r\n", "\n").includes("\r")
    : /\r|\\r|\\[xu]\{?0*d(?![0-9a-f])/i.test(pattern.replaceAll(/(?:\r|\\r)\?(?=\n|\\n)/g, ""));

/** Whether a match of the pattern can span lines. */
export const meansLineBreak = ({ pattern, literal = false }: Pick<ContentsOptions, "pattern" | "literal">): boolean =>
  pattern.includes("\n") || (!literal && /\\[nR]|\(\?[a-z]*s/.test(pattern));

export const limitOf = ({ limit = DEFAULT_CONTENTS_LIMIT }: ContentsOptions): number => Math.min(limit, MAX_LIMIT);

/** Refuses options that no search can fulfil, before a search is started. */
export function checkOptions({ pattern, multiline = false, contextLines = 0, encoding }: ContentsOptions): void {
  if (encoding !== undefined && !isDecodable(encoding))
    throw invalid(`Encoding ${clip(encoding, 40)} cannot be searched. Use one such as utf-16le, windows-1251, shift_jis or gbk.`);
  if (pattern === "") throw invalid("Empty pattern: expected a text or a regular expression to search for.");
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw invalid(`Pattern too long: expected at most ${MAX_PATTERN_LENGTH} characters, got ${pattern.length}: ${clip(pattern, 60)}`);
  }
  if (pattern.includes("\0") || !pattern.isWellFormed()) throw invalid("Invalid pattern: it has a character that no text can hold.");
  if (!multiline && pattern.includes("\n")) throw invalid(`Pattern has a line break: ${LINE_BREAK_ADVICE}`);
  if (contextLines > MAX_CONTEXT_LINES)
    throw invalid(`Too many context lines: expected at most ${MAX_CONTEXT_LINES}, got ${contextLines}.`);
}

function isDecodable(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

const invalid = (message: string): DiskError => new DiskError("invalid", message);
