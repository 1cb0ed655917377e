// Files that git reads as refs. git takes a short name for a path below the git directory before it looks below refs/, and reads whatever file
// is there whole: a pipe never ends, and a huge file fills the memory. A symbolic ref may hold such a name too.
import { closeSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import type { ConfigEntry } from "../../process/config-list.ts";
import type { RepositoryPaths } from "../../process/repository-paths.ts";
import { isFullId } from "../../refs/revision-syntax.ts";
import { entryAt } from "../file-entry.ts";
import { HEAD_NAMES, MAX_REF_BYTES, MAX_TEXT_BYTES, refuseLarger } from "./git-file-sizes.ts";

/** Of a file: enough to see where it leads. */
const START_BYTES = 1024;
const NOT_A_REF = "of the git directory, which cannot be a ref";

/**
 * Whether git itself looks this file of a git directory up as a ref: HEAD and the heads beside it, `stash` for `stash@{0}`, and the id of a
 * commit, which may be the name of a ref as well. In any case, as file systems that ignore it give git the file `head` for HEAD.
 */
export const isHeadName = (name: string): boolean =>
  HEAD_NAMES.includes(name.toUpperCase()) || name.toLowerCase() === "stash" || isFullId(name.toLowerCase());

/** Throws for the file of a ref that is too large, or that leads git to a file which was not checked. `name`: from the git directory. */
export function refuseRefFile(path: string | Buffer, name: string, given: string): void {
  refuseLarger(path, name, MAX_REF_BYTES, given);
  if (leadsElsewhere(path))
    throw new GitError(
      "unsafe",
      `Refused: the file ${name} in the git directory of ${clip(given)} leads to a file outside refs/, or cannot be read. Repair or remove it.`,
    );
}

/**
 * Throws for a name under which git would find a file that cannot be a ref. Names below refs/ need no look: the check of the git directory
 * covers them.
 */
export function requireReadableRef({ gitDir, commonDir }: Pick<RepositoryPaths, "gitDir" | "commonDir">, name: string): void {
  if (name.startsWith("refs/") || name.includes("..")) return; // git takes no name with two dots
  const inMain = name.replace(/^main-worktree\//, "");
  const isReadable = isReadableRef(gitDir, name) && isReadableRef(commonDir, name) && isReadableRef(commonDir, inMain);
  if (isReadable) return;
  throw new GitError(
    "unsafe",
    `Refused: before git looks for a branch or tag ${clip(name)}, it would read a file of that name ${NOT_A_REF}. Give a commit id or the full name, such as refs/heads/${clip(name)}.`,
  );
}

/** False for anything but a plain file of ordinary size that does not lead on; true where there is nothing, or a folder. */
function isReadableRef(gitDir: string, name: string): boolean {
  let path = gitDir;
  let stat;
  for (const step of name.split("/")) {
    path = join(path, step);
    stat = entryAt(path);
    if (stat === undefined) return true;
    if (stat.isSymbolicLink()) return false;
  }
  return stat === undefined || stat.isDirectory() || (stat.isFile() && stat.size <= MAX_TEXT_BYTES && !leadsElsewhere(path));
}

/**
 * Whether a file is a symbolic ref to a name that is not below refs/. A file that cannot be read counts as one, and so does one with many blanks
 * before the name.
 */
function leadsElsewhere(path: string | Buffer): boolean {
  const start = Buffer.allocUnsafe(START_BYTES);
  let length = 0;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, start, 0, start.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return systemErrorCode(error) !== "ENOENT";
  }
  const [, target] = /^ref:\s*(.*?)\s*$/s.exec(start.toString("latin1", 0, length)) ?? [];
  return target !== undefined && target !== "HEAD" && !target.startsWith("refs/");
}

/** Names outside refs/ that the configuration makes git look up: the branches that others follow, and where a fetch stores branches. */
export const configuredRefNames = (config: readonly ConfigEntry[]): string[] =>
  config
    .flatMap(({ key, value = "" }) => {
      if (/^branch\..*\.merge$/s.test(key)) return value;
      if (!/^remote\..*\.fetch$/s.test(key)) return [];
      const [, stored = ""] = value.split(":");
      return stored;
    })
    .filter((name) => name !== "" && !name.startsWith("refs/"));

/** Throws for a name of {@link configuredRefNames} that leads to a file which cannot be a ref, or that stands for any file of a folder. */
export function requireConfiguredRefs(paths: RepositoryPaths, names: readonly string[], given: string): void {
  for (const name of names) {
    if (!name.includes("*")) requireReadableRef(paths, name);
    else if ([paths.gitDir, paths.commonDir].some((root) => entryAt(join(root, dirname(name))) !== undefined))
      throw new GitError(
        "unsafe",
        `Refused: the configuration of ${clip(given)} stores fetched branches as ${clip(name)}, among files ${NOT_A_REF}. Store them below refs/ (remote.<name>.fetch).`,
      );
  }
}
