// From a path to the repository around it, as git walks up, but never out of the allowed area, and without git: what git is told
// later is what was checked here.
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GitError, clip } from "../errors.ts";
import type { Area } from "./sandbox.ts";

export interface Found {
  /** The folder of the work tree, or of the bare repository; what callers call the repository. */
  readonly top: string;
  readonly gitDir: string;
  /** Where objects, branches and configuration are; another folder than `gitDir` in a linked worktree. */
  readonly commonDir: string;
  readonly bare: boolean;
}

const LONGEST_FILE = 65_536;

/** The repository around a real path; undefined when there is none inside the area. `given` is what the caller wrote. */
export function discover(area: Area, real: string, given: string): Found | undefined {
  for (let folder = real; area.inside(folder); folder = dirname(folder)) {
    const found = lstatSync(join(folder, ".git"), { throwIfNoEntry: false });
    if (found !== undefined) return at(area, folder, given);
    if (looksBare(folder)) return bareAt(area, folder, given);
    if (dirname(folder) === folder) break;
  }
  return undefined;
}

function at(area: Area, top: string, given: string): Found | undefined {
  const entry = join(top, ".git");
  const gitDir = realpathOf(statSync(entry, { throwIfNoEntry: false })?.isFile() === true ? namedIn(entry, top) : entry);
  if (gitDir === undefined) throw new GitError("not-a-repository", `Not a git repository: the .git of ${clip(given)} leads nowhere.`);
  if (!area.inside(gitDir)) throw leadsOut(given, "git directory");
  const commonDir = commonOf(area, gitDir, given);
  if (!looksBare(gitDir, commonDir))
    throw new GitError(
      "not-a-repository",
      `Not a git repository: HEAD, objects or refs in the .git of ${clip(given)} is missing or damaged.`,
    );
  return { top, gitDir, commonDir, bare: false };
}

/** A bare repository counts where the operator named it, or where no work tree is around it: not as something that came with files. */
function bareAt(area: Area, folder: string, given: string): Found {
  const named = area.walls.some(({ real, kind }) => kind === "repository" && real === folder);
  const isBuried = (): boolean => {
    for (let above = dirname(folder); area.inside(above); above = dirname(above)) {
      if (lstatSync(join(above, ".git"), { throwIfNoEntry: false }) !== undefined) return true;
      if (dirname(above) === above) break;
    }
    return folder.endsWith(".git") && /[\\/]\.git$/.test(folder);
  };
  if (!named && isBuried())
    throw new GitError(
      "unsafe",
      `Refused: ${clip(given)} lies in a folder that looks like a git directory inside another repository. Give the folder of the work tree, or name the bare repository with --repository.`,
    );
  return { top: folder, gitDir: folder, commonDir: commonOf(area, folder, given), bare: true };
}

function commonOf(area: Area, gitDir: string, given: string): string {
  const file = join(gitDir, "commondir");
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return gitDir;
  const text = stat.isFile() && stat.size <= LONGEST_FILE ? readFileSync(file, "utf8").replace(/[\r\n]+$/, "") : "";
  const common = text === "" ? undefined : realpathOf(resolve(gitDir, text));
  if (common === undefined)
    throw new GitError("not-a-repository", `Not a git repository: the common directory of ${clip(given)} is missing.`);
  if (!area.inside(common)) throw leadsOut(given, "common directory");
  return common;
}

/** What a `.git` file names. */
function namedIn(file: string, top: string): string {
  if (statSync(file).size > LONGEST_FILE) return file;
  const [, path = ""] = /^gitdir: ([^]*?)[\r\n]*$/.exec(readFileSync(file, "utf8")) ?? [];
  return path === "" ? file : resolve(top, path);
}

/** What git takes for a git directory. */
export function looksBare(folder: string, common: string = folder): boolean {
  const is = (path: string, kind: "isFile" | "isDirectory"): boolean => statSync(path, { throwIfNoEntry: false })?.[kind]() === true;
  try {
    return isHead(join(folder, "HEAD")) && is(join(common, "objects"), "isDirectory") && is(join(common, "refs"), "isDirectory");
  } catch {
    return false;
  }
}

/** As git judges it: with anything else in it there is no repository, and some commands then work on other things. */
function isHead(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return stat !== undefined; // where it leads is judged with all other links
  return stat.isFile() && stat.size <= LONGEST_FILE && /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(readFileSync(path, "latin1"));
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

const leadsOut = (given: string, what: string): GitError =>
  new GitError(
    "denied",
    `Access denied - the ${what} of ${clip(given)} lies outside the allowed repositories. Name the repository that it belongs to with --repository as well.`,
  );
