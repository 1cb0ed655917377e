// Paths within a repository as callers write them: relative to its top, or absolute and below it. Literal names, no patterns.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { GitError, clip } from "../errors.ts";
import { bytesOf } from "../text/file-names.ts";
import type { Repository } from "../repository.ts";
import type { Argument } from "../process/git-process.ts";
import { isInside } from "./sandbox.ts";

/** The path from the top, as text; "." for the top itself. */
export function relativePath({ facts }: Repository, given: string): string {
  const outside = (): GitError => new GitError("denied", `Access denied - path outside the repository: ${clip(given)}`);
  const text = isAbsolute(given) ? belowTop(facts.top, given) : given;
  if (text === undefined) throw outside();
  const names: string[] = [];
  for (const name of (process.platform === "win32" ? text.replaceAll("\\", "/") : text).split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw outside();
    } else names.push(name);
  }
  if (names.some((name) => /^\.git$/i.test(name)))
    throw new GitError("denied", `Access denied - a path inside a git directory: ${clip(given)}`);
  return names.length === 0 ? "." : names.join("/");
}

function belowTop(top: string, given: string): string | undefined {
  if (isInside(given, top)) return given.slice(top.length);
  try {
    // Another spelling of the same folder.
    const real = join(realpathSync.native(dirname(given)), basename(given));
    return isInside(real, top) ? real.slice(top.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Where a path from the top is on the disk, whatever bytes its name has. */
export const placeOf = ({ facts }: Pick<Repository, "facts">, path: Buffer): Buffer =>
  Buffer.concat([Buffer.from(join(facts.top, "/")), path]);

export const argumentOf = (repository: Repository, given: string): Argument => {
  const bytes = bytesOf(relativePath(repository, given));
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : bytes;
};

/** `-- path path`, or nothing for all. */
export const pathArguments = (repository: Repository, paths: readonly string[]): Argument[] =>
  paths.length === 0 ? [] : ["--", ...paths.map((path) => argumentOf(repository, path))];

/** For `--stdin` of commands that show: names after what they are told first, a line each. */
export function pathLines(repository: Repository, first: readonly string[], paths: readonly string[]): Buffer {
  if (paths.some((path) => path.includes("\n"))) throw new GitError("invalid", "A name with a line break in it cannot be given here.");
  const lines = [...first, "--"].map((line) => Buffer.from(`${line}\n`));
  const names = paths.flatMap((path) => [bytesOf(relativePath(repository, path)), Buffer.from("\n")]);
  return Buffer.concat([...lines, ...names]);
}

/** For `--pathspec-from-file=- --pathspec-file-nul`. */
export const pathInput = (repository: Repository, paths: readonly string[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [bytesOf(relativePath(repository, path)), Buffer.from([0])]));

export const FROM_INPUT: readonly string[] = ["--pathspec-from-file=-", "--pathspec-file-nul"];
