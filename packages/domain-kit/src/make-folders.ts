// Folders on the way to a file.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder with every missing one above it. Throws what the operating system reports.
 *
 * `mkdirSync(…, { recursive: true })` is not used: it retries forever where a folder answers ENOENT for a new folder inside it, as
 * /proc and automount points do, and the process then answers neither requests nor signals.
 * @param mode Permissions of new folders, before the umask. Default 0o777.
 */
export function makeFolders(folder: string, mode = 0o777): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolders(parent, mode);
  if (isFolder(folder)) return;
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
