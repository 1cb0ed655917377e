// Finds the repository around a path, walking up as git does, but never out of the sandbox. git itself does not search: it is given
// exactly the folders that were checked here.
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import { refuseBlockingFiles } from "./blocking-files.ts";
import { entryAt } from "./file-entry.ts";
import { linkedGitDir } from "./git-directory/git-link.ts";
import { linkRefusal } from "./git-directory/git-directory-check.ts";
import { realPath, type Sandbox } from "./sandbox.ts";

const MAX_FILE_BYTES = 65_536;

/** The repository around a real path; undefined where the sandbox holds none. `given`: the path as the caller wrote it. */
export function discoverRepository(sandbox: Sandbox, real: string, given: string): RepositoryPaths | undefined {
  for (let folder = real; sandbox.contains(folder); folder = dirname(folder)) {
    if (entryAt(join(folder, ".git")) !== undefined) return workTreeAt(sandbox, folder, given);
    if (looksBare(folder)) return bareAt(sandbox, folder, given);
    if (dirname(folder) === folder) break;
  }
  return undefined;
}

function workTreeAt(sandbox: Sandbox, top: string, given: string): RepositoryPaths {
  const entry = join(top, ".git");
  const gitDir = realPath(entryAt(entry)?.isFile() === true ? linkedGitDir(entry, top) : entry);
  if (gitDir === undefined)
    throw new GitError("not-a-repository", `Not a git repository: the .git of ${clip(given)} leads nowhere. Repair or recreate it.`);
  if (!sandbox.contains(gitDir)) throw outsideSandbox(given, "git directory");
  const commonDir = commonDirOf(sandbox, gitDir, given);
  if (!looksBare(gitDir, commonDir)) {
    const link = ["objects", "refs"].find((name) => entryAt(join(commonDir, name))?.isSymbolicLink() === true);
    if (link !== undefined) throw linkRefusal(link, given);
    throw new GitError(
      "not-a-repository",
      `Not a git repository: HEAD, objects or refs in the .git of ${clip(given)} is missing or damaged. Repair or recreate it.`,
    );
  }
  refuseBlockingFiles(top);
  return { top, gitDir, commonDir, isBare: false };
}

/**
 * A bare repository is accepted where the operator named it, or where no work tree is around it: a bare repository among the files of
 * another one came with those files, and its configuration is not trusted.
 */
function bareAt(sandbox: Sandbox, folder: string, given: string): RepositoryPaths {
  const isNamed = sandbox.folders.some(({ real, kind }) => kind === "repository" && real === folder);
  const isBuried = (): boolean => {
    for (let above = dirname(folder); sandbox.contains(above); above = dirname(above)) {
      if (entryAt(join(above, ".git")) !== undefined) return true;
      if (dirname(above) === above) break;
    }
    return folder.endsWith(".git") && /[\\/]\.git$/.test(folder);
  };
  if (!isNamed && isBuried())
    throw new GitError(
      "unsafe",
      `Refused: ${clip(given)} lies in a folder that looks like a git directory inside another repository. Give the folder of the work tree, or name the bare repository with --repository.`,
    );
  return { top: folder, gitDir: folder, commonDir: commonDirOf(sandbox, folder, given), isBare: true };
}

function commonDirOf(sandbox: Sandbox, gitDir: string, given: string): string {
  const file = join(gitDir, "commondir");
  // A link is not followed here either: the check of the git directory refuses it by name.
  const stat = entryAt(file);
  if (stat === undefined || stat.isSymbolicLink()) return gitDir;
  const text = stat.isFile() && stat.size <= MAX_FILE_BYTES ? readFileSync(file, "utf8").replace(/[\r\n]+$/, "") : "";
  const common = text === "" ? undefined : realPath(resolve(gitDir, text));
  if (common === undefined)
    throw new GitError(
      "not-a-repository",
      `Not a git repository: the common directory of ${clip(given)} is missing. Repair the linked work tree.`,
    );
  if (!sandbox.contains(common)) throw outsideSandbox(given, "common directory");
  return common;
}

/** Whether git would take the folder for a git directory. */
export function looksBare(folder: string, common: string = folder): boolean {
  const is = (path: string, kind: "isFile" | "isDirectory"): boolean => statSync(path, { throwIfNoEntry: false })?.[kind]() === true;
  try {
    return isHead(join(folder, "HEAD")) && is(join(common, "objects"), "isDirectory") && is(join(common, "refs"), "isDirectory");
  } catch {
    return false;
  }
}

/** Judges HEAD as git does. With any other content git sees no repository here, and some commands would continue without one. */
function isHead(path: string): boolean {
  const stat = entryAt(path);
  if (stat === undefined || stat.isSymbolicLink()) return stat !== undefined; // the check of the git directory refuses it by name
  return stat.isFile() && stat.size <= MAX_FILE_BYTES && /^(?:ref:\s*refs\/|[0-9A-Fa-f]{40})/.test(readFileSync(path, "latin1"));
}

const outsideSandbox = (given: string, what: string): GitError =>
  new GitError(
    "denied",
    `Access denied - the ${what} of ${clip(given)} lies outside the allowed repositories. Name the repository that it belongs to with --repository too.`,
  );
