// The folder that is missing on the way to a file.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The uppermost folder above a path that does not exist; undefined where all exist, or this user may not look for them. */
export function missingFolder(path: string): string | undefined {
  let missing: string | undefined;
  try {
    for (let folder = dirname(resolve(path)); statSync(folder, { throwIfNoEntry: false }) === undefined; folder = dirname(folder)) {
      missing = folder;
      if (dirname(folder) === folder) break;
    }
  } catch {
    // A folder above may not be entered.
  }
  return missing;
}
