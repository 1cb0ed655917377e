// The folder for files as it is at the start: a link that is put in its place later is not followed.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The real path of a folder that need not exist yet. */
export function realFolder(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realFolder(parent), basename(absolute));
  }
}
