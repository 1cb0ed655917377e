// Where a new repository may be created: below a folder of repositories, and not inside another repository.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { settingsForNewRepository } from "../configuration/user-settings.ts";
import { GitError } from "../errors.ts";
import { runChange } from "../process/change-command.ts";
import type { ConfigEntry } from "../process/config-list.ts";
import { newRepositoryEnvironment } from "../process/environment.ts";
import { readableMessage } from "../messages/readable-message.ts";
import type { GitResult } from "../process/git-process.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import { entryAt } from "../safety/file-entry.ts";
import { isGitDirectoryName } from "../safety/git-directory/directory-name.ts";
import { looksBare } from "../safety/repository-discovery.ts";
import { isInside, type Sandbox } from "../safety/sandbox.ts";

/** The real path of a new repository. `mayHoldFiles`: its folder may exist with files in it; otherwise it must be new or empty. */
export function resolveNewRepository(sandbox: Sandbox, given: string, mayHoldFiles: boolean): string {
  const roots = sandbox.folders.filter(({ kind }) => kind === "root");
  const outside = (): GitError =>
    new GitError("denied", `Access denied - path outside the allowed folders of repositories: ${clip(given)}`);
  if (roots.length === 0)
    throw new GitError(
      "denied",
      "Access denied - no folder for new repositories is served. Start the server with --repositories-root DIR.",
    );
  if (given.includes("\0") || given.startsWith("-"))
    throw new GitError("invalid", `${clip(given)} is not a valid path: give one without NUL that does not begin with "-".`);
  for (const candidate of isAbsolute(given) ? [resolve(given)] : roots.map(({ real }) => resolve(real, given))) {
    const real = realPathOfNew(candidate);
    const root = real === undefined ? undefined : roots.find((folder) => real !== folder.real && isInside(real, folder.real));
    if (real === undefined || root === undefined || !sandbox.contains(real)) continue;
    if (real.split(/[\\/]/).some((name) => isGitDirectoryName(name))) throw outside();
    requireOutsideRepositories(real, root.real, given);
    requireFree(real, given, mayHoldFiles);
    return real;
  }
  throw outside();
}

function requireOutsideRepositories(real: string, root: string, given: string): void {
  for (let folder = dirname(real); isInside(folder, root); folder = dirname(folder))
    if (entryAt(join(folder, ".git")) !== undefined || looksBare(folder))
      throw new GitError("denied", `Refused: ${clip(given)} lies inside another repository. Give a path outside it.`);
}

function requireFree(real: string, given: string, mayHoldFiles: boolean): void {
  for (let folder = real; dirname(folder) !== folder; folder = dirname(folder))
    if (entryAt(folder)?.isDirectory() === false)
      throw new GitError("conflict", `${clip(given)} is a file or lies below one: give the path of a folder that is new or empty.`);
  const entries = existsSync(real) ? readdirSync(real) : [];
  if (entries.includes(".git") || looksBare(real))
    throw new GitError("conflict", `${clip(given)} already is a repository: give another path.`);
  if (entries.length > 0 && !mayHoldFiles)
    throw new GitError("conflict", `${clip(given)} already exists: give a folder that is new or empty.`);
}

/** Follows the links of the part that exists. Undefined for a dangling link: its target could be created anywhere later. */
function realPathOfNew(path: string): string | undefined {
  const names: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return join(realpathSync.native(existing), ...names);
    } catch {
      if (entryAt(existing)?.isSymbolicLink() === true || dirname(existing) === existing) return undefined;
      names.unshift(basename(existing));
      existing = dirname(existing);
    }
  }
}

/** Creates an empty repository at a path from {@link resolveNewRepository}. */
export async function initRepository(
  git: string,
  path: string,
  { bare, branch, user }: { bare: boolean; branch: string; user: readonly ConfigEntry[] },
  signal?: AbortSignal,
): Promise<void> {
  checkRefName(branch, "branch");
  const args = ["init", "--quiet", `--initial-branch=${branch}`, ...(bare ? ["--bare"] : []), "--", path];
  const context = { git, env: newRepositoryEnvironment(git, settingsForNewRepository(user)), cwd: path };
  const result = await withNewFolder(path, () => runChange(context, { args, signal }, path));
  if (result.exitCode !== 0) throw new GitError("failed", `git: ${readableMessage(pathsOfNew(path), result.stderr)}`);
}

/** Creates a folder for git to work in. When git fails, the new folders are removed again while they are empty. */
export async function withNewFolder(folder: string, work: () => Promise<GitResult>): Promise<GitResult> {
  const firstCreated = mkdirSync(folder, { recursive: true });
  let isDone = false;
  try {
    const result = await work();
    isDone = result.exitCode === 0;
    return result;
  } finally {
    if (!isDone && firstCreated !== undefined) removeEmptyFolders(folder, firstCreated);
  }
}

function removeEmptyFolders(folder: string, last: string): void {
  try {
    for (let at = folder; isInside(at, last); at = dirname(at)) rmdirSync(at);
  } catch {
    // Another program has put something into it.
  }
}

/** For messages of git about a repository that may not exist. */
export const pathsOfNew = (path: string): RepositoryPaths => ({
  top: path,
  gitDir: join(path, ".git"),
  commonDir: join(path, ".git"),
  isBare: false,
});
