// Globs over paths, with the meaning of minimatch: wildcards match names that begin with a dot too, and patterns are relative to
// the directory of the call. Patterns come from clients, so their number, length and brace alternatives are bounded.
import { clip } from "@oarlock/domain-kit";
import { braceExpand, Minimatch } from "minimatch";
import { DiskError } from "../errors.ts";

const MAX_PATTERN_LENGTH = 1024;
const MAX_PATTERNS = 100;
const MAX_ALTERNATIVES = 128;
/** Of all patterns of a call together, with their braces expanded. */
const MAX_TOTAL_CHARACTERS = 8192;
const MAX_TOTAL_NAMES = 1024;

/** A backslash is an escape on every platform: paths are given with slashes. A `#` begins a name, not a comment. */
const OPTIONS = { dot: true, nocomment: true, platform: "linux" } as const;

/** Matches what any of its patterns matches. Paths are relative, with slashes. */
export interface GlobMatcher {
  matches(path: string): boolean;
  /** Whether anything below the directory can match. */
  canMatchBelow(directory: string): boolean;
}

export function compileGlobs(patterns: readonly string[]): GlobMatcher {
  if (patterns.length > MAX_PATTERNS) {
    throw new DiskError(
      "invalid",
      `Too many patterns: expected at most ${MAX_PATTERNS} patterns, got ${patterns.length}. Join some of them with braces: {a,b}.`,
    );
  }
  const alternatives = patterns.flatMap(expandBraces);
  const characters = alternatives.reduce((sum, pattern) => sum + pattern.length, 0);
  const names = alternatives.reduce((sum, pattern) => sum + pattern.split("/").length, 0);
  if (characters > MAX_TOTAL_CHARACTERS || names > MAX_TOTAL_NAMES) {
    throw new DiskError("invalid", "The patterns are too large together. Use fewer or shorter ones, or several calls.");
  }
  const matchers = patterns.map((pattern) => new Minimatch(pattern, OPTIONS));
  return {
    matches: (path) => matchers.some((matcher) => matcher.match(path)),
    canMatchBelow: (directory) => matchers.some((matcher) => matcher.negate || matcher.match(directory, true)),
  };
}

/**
 * The exclude patterns of directory_tree: one without `*` also matches at any depth. With a slash at its end it matches what lies
 * below such a directory, which itself stays in the tree.
 */
export function compileTreeExcludes(patterns: readonly string[]): GlobMatcher {
  return compileGlobs(
    patterns.flatMap((pattern) => {
      if (pattern.includes("*") || pattern === "") return [pattern];
      return [pattern, pattern.endsWith("/") ? `**/${pattern}**` : `**/${pattern}`];
    }),
  );
}

/** The alternatives that the braces of a pattern stand for. */
export function expandBraces(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new DiskError(
      "invalid",
      `Pattern is too long: expected at most ${MAX_PATTERN_LENGTH} characters, got ${pattern.length}: ${clip(pattern, 60)}`,
    );
  }
  if (pattern === "") return [];
  // Past its bound minimatch drops alternatives without a word: a pattern of --deny would hide less than it says.
  const alternatives = braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES + 1 });
  if (alternatives.length > MAX_ALTERNATIVES) {
    throw new DiskError(
      "invalid",
      `Pattern is too large: more than ${MAX_ALTERNATIVES} alternatives in "${clip(pattern, 80)}". Use a shorter pattern, or several calls.`,
    );
  }
  return alternatives;
}
