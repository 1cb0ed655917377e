// Identity of places whose paths differ: every path below a directory that is mounted twice has a second spelling.
import { statSync, type BigIntStats } from "node:fs";
import type { Entry, FolderHandle } from "../access/sandbox.ts";

/** A path cannot have more. */
const MAX_LEVELS = 4096;

/** The same file or directory, whatever its names. */
export const isSameObject = (a: BigIntStats, b: BigIntStats | undefined): boolean => a.ino === b?.ino && a.dev === b.dev;

/** Whether two entries are the same name in the same directory. */
export const isSameEntry = (a: Entry, b: Entry): boolean => a.name === b.name && isSameObject(a.parent.stat, b.parent.stat);

/** Whether the held directory is `top` or lies below it. */
export function isWithin(folder: FolderHandle, top: BigIntStats): boolean {
  let here = folder.stat;
  for (let path = `${folder.self}/..`, level = 0; level < MAX_LEVELS; path += "/..", level += 1) {
    if (isSameObject(here, top)) return true;
    const above = look(path);
    if (above === undefined || isSameObject(above, here)) return false;
    here = above;
  }
  return false;
}

/** Undefined where a directory above is not readable. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
