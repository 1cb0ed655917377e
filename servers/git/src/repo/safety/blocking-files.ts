// Files of the work tree that git reads by their names: a pipe in the place of one makes git wait for ever, a huge one fills its memory.
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { nameToText } from "../text/file-names.ts";
import { enterableEntryAt } from "./file-entry.ts";
import { linkedGitDir } from "./git-directory/git-link.ts";

/** git reads them in every folder or at the top, and follows no link there. */
const NAMES: ReadonlySet<string> = new Set([".gitattributes", ".gitignore", ".gitmodules", ".mailmap"]);
/** As large as git reads attributes. */
const MAX_BYTES = 100 * 1024 * 1024;
const MAX_FOLDERS = 100_000;
const SLASH = Buffer.from("/");

/** Checks the top folder, where a look costs a few microseconds. Throws a {@link GitError}. */
export function refuseBlockingFiles(top: string): void {
  for (const name of NAMES) if (isBlocking(join(top, name))) throw blockingFile(name);
}

/** Searches all folders, for a command that does not end: that takes longer than a status. Gives the path from `top`. */
export async function findBlockingFile(top: string, signal: AbortSignal): Promise<string | undefined> {
  const { readdir } = await import("node:fs/promises"); // a start does not need it
  // None for a folder that cannot be read: git reads nothing there either.
  const entriesOf = (folder: Buffer) => readdir(folder, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  const folders = [Buffer.from(join(top, "/"))];
  const start = folders[0]?.length;
  // The list grows while it is read.
  for (const folder of folders) {
    const entries = await entriesOf(folder);
    if (signal.aborted) return undefined;
    if (folder.length !== start && entries.some(({ name }) => isNamed(name, ".git"))) {
      // git does not look for these files in another repository, only whether it is one.
      if (hasBlockingHead(folder.toString())) return `the HEAD of ${nameToText(folder.subarray(start))}.git`;
      continue;
    }
    for (const entry of entries) {
      const path = Buffer.concat([folder, entry.name]);
      if (entry.isDirectory()) {
        if (!isNamed(entry.name, ".git") && folders.length < MAX_FOLDERS) folders.push(Buffer.concat([path, SLASH]));
      } else if (NAMES.has(entry.name.toString("latin1")) && isBlocking(path)) return nameToText(path.subarray(start));
    }
  }
  return undefined;
}

/** Of the repository in a folder, wherever its `.git` leads. */
function hasBlockingHead(folder: string): boolean {
  const entry = join(folder, ".git");
  return isBlocking(join(enterableEntryAt(entry)?.isFile() === true ? linkedGitDir(entry, folder) : entry, "HEAD"));
}

const isNamed = (name: Buffer, text: string): boolean => name.toString("latin1") === text;

function isBlocking(path: string | Buffer): boolean {
  const stat = enterableEntryAt(path);
  return (
    stat !== undefined && (stat.isFIFO() || stat.isCharacterDevice() || stat.isBlockDevice() || (stat.isFile() && stat.size > MAX_BYTES))
  );
}

export const blockingFile = (path: string): GitError =>
  new GitError(
    "unsafe",
    `Refused: git waits for ${clip(path)}, which is a pipe, a device or larger than ${MAX_BYTES} bytes. Remove or replace it.`,
  );
