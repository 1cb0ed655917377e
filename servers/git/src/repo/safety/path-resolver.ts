// Paths within a repository as callers write them: relative to its top, or absolute and below it. Paths are literal, not patterns.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import { GitError } from "../errors.ts";
import type { GitArgument, GitCommand, GitContext } from "../process/git-process.ts";
import type { WithPaths } from "../process/repository-paths.ts";
import { nameFromText } from "../text/file-names.ts";
import { isGitDirectoryName } from "./git-directory/directory-name.ts";
import { isInside } from "./sandbox.ts";

/** The path relative to the top; "." for the top itself. Throws for a path outside the repository or inside a git directory. */
export function relativePath({ state: { top } }: WithPaths, given: string, of: NodeJS.Platform = platform): string {
  const outside = (): GitError => new GitError("denied", `Access denied - path outside the repository: ${clip(given)}`);
  const text = isAbsolute(given) ? belowTop(top, given) : given;
  if (text === undefined) throw outside();
  const names: string[] = [];
  for (const name of (of === "win32" ? text.replaceAll("\\", "/") : text).split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw outside();
    } else names.push(name);
  }
  if (names.some((name) => isGitDirectoryName(name, of)))
    throw new GitError("denied", `Access denied - a path inside a git directory: ${clip(given)}`);
  return names.length === 0 ? "." : names.join("/");
}

function belowTop(top: string, given: string): string | undefined {
  if (isInside(given, top)) return given.slice(top.length);
  try {
    // Another spelling of the same folder, through a link.
    const real = join(realpathSync.native(dirname(given)), basename(given));
    return isInside(real, top) ? real.slice(top.length) : undefined;
  } catch {
    return undefined;
  }
}

/** The absolute path of a file, for any bytes in its name. `path` is relative to the top. */
export const absolutePath = ({ state: { top } }: WithPaths, path: Buffer): Buffer => Buffer.concat([Buffer.from(join(top, "/")), path]);

/** A path as an argument of git. */
export const pathArgument = (repository: WithPaths, given: string): GitArgument => {
  const bytes = nameFromText(relativePath(repository, given));
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : bytes;
};

/** `-- path path`, or nothing for all paths. */
export const pathArguments = (repository: WithPaths, paths: readonly string[]): GitArgument[] =>
  paths.length === 0 ? [] : ["--", ...paths.map((path) => pathArgument(repository, path))];

/** Input for `--stdin` of log, show and stash: revisions, then paths, one per line. */
export function pathLines(repository: WithPaths, revisions: readonly string[], paths: readonly string[]): Buffer {
  const broken = paths.find((path) => path.includes("\n"));
  if (broken !== undefined)
    throw new GitError("invalid", `Path ${clip(broken)} holds a line break, which this command cannot take. Name its folder instead.`);
  const lines = [...revisions, "--"].map((line) => Buffer.from(`${line}\n`));
  const names = paths.flatMap((path) => [nameFromText(relativePath(repository, path)), Buffer.from("\n")]);
  return Buffer.concat([...lines, ...names]);
}

/** Options of commands that read paths from {@link pathInput}. */
export const PATHS_FROM_INPUT: readonly string[] = ["--pathspec-from-file=-", "--pathspec-file-nul"];

export const pathInput = (repository: WithPaths, paths: readonly string[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [nameFromText(relativePath(repository, path)), Buffer.from([0])]));

/** Leaves paths out of a command. Everywhere else paths are literal by the environment, where nothing can be excluded: here each one is marked as literal. */
export function excludePaths(context: GitContext, command: GitCommand, paths: readonly string[]): readonly [GitContext, GitCommand] {
  if (paths.length === 0) return [context, command];
  const at = command.args.indexOf("--");
  const options = at === -1 ? command.args : command.args.slice(0, at);
  const included = at === -1 ? [] : command.args.slice(at + 1).map((path) => marked(":(literal)", path));
  const excluded = paths.map((path) => marked(":(exclude,literal)", nameFromText(path)));
  const env = { ...context.env, GIT_LITERAL_PATHSPECS: "0" };
  return [
    { ...context, env },
    { ...command, args: [...options, "--", ...included, ...excluded] },
  ];
}

const marked = (mark: string, path: GitArgument): Buffer => Buffer.concat([Buffer.from(mark), Buffer.from(path)]);
