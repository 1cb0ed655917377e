// The lines of a blame with their commits, of git_blame and of git.
import type { World } from "./world.ts";

export interface Hunk {
  startLine: number;
  endLine: number;
  hash: string;
  author: string;
  date: string;
  summary: string;
}

/** Each line's commit, as `git blame --line-porcelain` says it. */
export const oracle = (at: World, ...args: string[]): string[] =>
  at.repository
    .raw(["blame", "--line-porcelain", ...args])
    .toString()
    .split("\n")
    .flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? []);

export const perLine = (hunks: readonly Hunk[]): string[] =>
  hunks.flatMap(({ startLine, endLine, hash }) => Array.from({ length: endLine - startLine + 1 }, () => hash));

/** The lines that a text holds behind their numbers. */
export const linesIn = (text: string): string[] => text.split("\n").flatMap((line) => /^ {0,5}\d+\t(.*)$/.exec(line)?.[1] ?? []);
