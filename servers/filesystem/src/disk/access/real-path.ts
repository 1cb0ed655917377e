// Real paths: without links, and in the names that the directories store.
import { realpathSync } from "node:fs";
import { joinPath, nativePaths } from "./path-syntax.ts";
import { storedOrNew } from "./stored-name.ts";

const { basename, dirname } = nativePaths.path;

/** The real path of something that exists. Throws what the system reports. */
export function existingRealPath(path: string): string {
  return inStoredNames(realpathSync.native(path));
}

/** The real path, also of a file that does not exist yet. */
export function realPathOf(path: string): string {
  try {
    return existingRealPath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : joinPath(realPathOf(parent), basename(path));
  }
}

/** Directories above that may not be listed keep the spelling of the system. */
function inStoredNames(real: string): string {
  const above = dirname(real);
  if (above === real) return real;
  const folder = inStoredNames(above);
  const directory = { self: folder, at: (name: string) => joinPath(folder, name) };
  return joinPath(folder, storedOrNew(directory, basename(real)) ?? basename(real));
}
