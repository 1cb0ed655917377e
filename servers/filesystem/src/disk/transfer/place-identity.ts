// Places that are one although their paths differ: a directory that is mounted twice has two of each.
import { statSync, type BigIntStats } from "node:fs";
import type { Entry, FolderHandle } from "../access/area.ts";

/** As many as a path can have. */
const MOST_LEVELS = 4096;

const isSame = (a: BigIntStats, b: BigIntStats) => a.ino === b.ino && a.dev === b.dev;

/** The same name in the same directory. */
export const isSameEntry = (a: Entry, b: Entry): boolean => a.name === b.name && isSame(a.parent.stat, b.parent.stat);

/** The held directory is `top`, or lies below it. */
export function isWithin(folder: FolderHandle, top: BigIntStats): boolean {
  let here = folder.stat;
  for (let path = `${folder.self}/..`, level = 0; level < MOST_LEVELS; path += "/..", level += 1) {
    if (isSame(here, top)) return true;
    const above = look(path);
    if (above === undefined || isSame(above, here)) return false;
    here = above;
  }
  return false;
}

/** Undefined where the way up is closed to us. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
