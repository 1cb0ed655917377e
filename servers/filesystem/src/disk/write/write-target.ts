// Where a write to a path lands: at the name itself, or, when that is a link which stays inside, at the file that the
// link leads to, so that the link is kept.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Area, Entry, FileHandle } from "../access/area.ts";
import { lookAt } from "../access/entry-stat.ts";
import { DiskError } from "../errors.ts";

/** The entry to write to. Refuses links that lead out or nowhere, and names that cannot be a file. */
export function writeTarget(area: Area, path: string): Entry {
  let given = path;
  for (let tries = 0; tries < 20; tries += 1) {
    const entry = area.entry(given);
    if (isFinal(area, entry, path)) return entry;
    // The name of the file behind the link; should somebody put a link there just now, we look again.
    given = behindLink(area, path);
  }
  throw new DiskError("conflict", `The links on the way keep changing; try again: ${clip(path)}`);
}

/** Whether the entry itself is to be written, and not what a link there leads to. Otherwise, and on errors, it is let go. */
function isFinal(area: Area, entry: Entry, path: string): boolean {
  let keep = false;
  try {
    const there = lookAt(entry);
    if (there?.isSymbolicLink() === true) return false;
    area.mustBeWritable(entry.path);
    mustBeFile(entry, there, path);
    keep = true;
  } finally {
    if (!keep) entry[Symbol.dispose]();
  }
  return true;
}

function behindLink(area: Area, path: string): string {
  try {
    return area.look(path).path;
  } catch (error) {
    if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
    throw new DiskError("invalid", `This is a symbolic link to something that does not exist; write to its target instead: ${clip(path)}`);
  }
}

/** Throws when the name cannot be that of a regular file. */
export function mustBeFile(entry: Entry, there: BigIntStats | undefined, path: string): void {
  if (there?.isDirectory() === true) throw new DiskError("not-a-file", `Expected a file, but this is a directory: ${clip(path)}`);
  if (there?.isSymbolicLink() === true) throw new DiskError("conflict", `The path became a link just now; try again: ${clip(path)}`);
  if (entry.asFolder) throw new DiskError("not-a-folder", `A file name cannot end in a slash: ${clip(path)}`);
  if (there !== undefined && !there.isFile()) throw new DiskError("not-a-file", `Not a regular file: ${clip(path)}`);
}

/** Opens the very file that was looked at. */
export function openTarget(area: Area, entry: Entry, there: BigIntStats, path: string): FileHandle {
  const file = area.file(entry.path);
  if (file.stat.ino === there.ino && file.stat.dev === there.dev) return file;
  file[Symbol.dispose]();
  throw new DiskError("conflict", `Another program replaced the file just now; try again: ${clip(path)}`);
}
