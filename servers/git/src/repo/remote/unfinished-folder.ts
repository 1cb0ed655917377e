// What a killed git leaves of a repository or work tree that it was making.
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

/** Programs that were killed a moment ago may still write. */
const RETRIES = 3;

/** For a command that makes a folder: removes it once its git was killed. Undefined where the folder is there already. */
export const unfinishedFolder = (folder: string): (() => Promise<void>) | undefined =>
  existsSync(folder) ? undefined : () => removeUnfinished(folder);

/** Removes a folder with all that is in it. Links in it are not followed, and nothing is removed where one has come into its path. */
async function removeUnfinished(folder: string): Promise<void> {
  try {
    const parent = dirname(folder);
    const { rm } = await import("node:fs/promises"); // a start does not need it
    if (realpathSync.native(parent) === parent) await rm(folder, { recursive: true, force: true, maxRetries: RETRIES });
  } catch {
    // The next clone to this path is refused, with the reason.
  }
}
