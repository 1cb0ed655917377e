// What a killed git leaves of a repository or work tree that it was making.
import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Programs that were killed a moment ago may still write. */
const RETRIES = 3;

/** Removes a folder with all that is in it. Links in it are not followed, and nothing is removed where one has come into its path. */
export async function removeUnfinished(folder: string): Promise<void> {
  try {
    const parent = dirname(folder);
    if (realpathSync.native(parent) === parent) await rm(folder, { recursive: true, force: true, maxRetries: RETRIES });
  } catch {
    // The next clone to this path is refused, with the reason.
  }
}
