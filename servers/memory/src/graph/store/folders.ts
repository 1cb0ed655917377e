// Folders on the way to a file. Node's own recursive making tries forever where a folder says of a new one in it that there is no
// such thing, as /proc does and a folder of automounts: the process would answer nothing any more, not even a signal.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder with all that is missing above it, for its owner alone. */
export function makeFolders(folder: string): void {
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeFolders(above);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
