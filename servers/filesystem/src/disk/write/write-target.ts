// The target of a write: the name itself, or, where it is a link that stays inside, the file behind the link, so that the link is kept.
import type { BigIntStats } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import type { Sandbox, Entry, EntryPlace, FileHandle } from "../access/sandbox.ts";
import { lookAt } from "../access/entry-stat.ts";
import { DiskError } from "../errors.ts";

/** The entry to write to. Throws for links that lead out or nowhere, and for names that cannot be a file. */
export function writeTarget(sandbox: Sandbox, path: string): Entry {
  let given = path;
  for (let tries = 0; tries < 20; tries += 1) {
    const entry = sandbox.entry(given);
    if (isFinal(sandbox, entry, path)) return entry;
    // The file behind the link. It may have become a link in the meantime, so it is checked too.
    given = behindLink(sandbox, path);
  }
  throw new DiskError("conflict", `Path changed: its links keep changing. Try again: ${clip(path)}`);
}

/** Whether the entry itself is the target, instead of the file behind a link. Otherwise, and on errors, the entry is closed. */
function isFinal(sandbox: Sandbox, entry: Entry, path: string): boolean {
  let keep = false;
  try {
    const there = lookAt(entry);
    if (there?.isSymbolicLink() === true) return false;
    sandbox.mustBeWritable(entry.path);
    mustBeFile(entry, there, path);
    keep = true;
  } finally {
    if (!keep) entry[Symbol.dispose]();
  }
  return true;
}

function behindLink(sandbox: Sandbox, path: string): string {
  try {
    return sandbox.look(path).path;
  } catch (error) {
    if (!(error instanceof DiskError) || error.code !== "not-found") throw error;
    throw new DiskError("invalid", `Dangling symbolic link: its target does not exist. Write to the target instead: ${clip(path)}`);
  }
}

/** Throws when the name cannot be that of a regular file. */
export function mustBeFile(entry: Entry, there: BigIntStats | undefined, path: string): void {
  if (there?.isDirectory() === true) throw new DiskError("not-a-file", `Expected a file, but this is a directory: ${clip(path)}`);
  if (there?.isSymbolicLink() === true) throw new DiskError("conflict", `Path changed: it just became a link. Try again: ${clip(path)}`);
  if (entry.asFolder) throw new DiskError("not-a-folder", `A file name cannot end in a slash: ${clip(path)}`);
  if (there !== undefined && !there.isFile()) throw new DiskError("not-a-file", `Not a regular file: ${clip(path)}`);
}

/** Opens the file whose stat was taken. Throws when the name leads to another file now. */
export function openTarget(sandbox: Sandbox, entry: EntryPlace, there: BigIntStats, path: string): FileHandle {
  const file = sandbox.openEntry(entry);
  if (file.stat.ino === there.ino && file.stat.dev === there.dev) return file;
  file[Symbol.dispose]();
  throw new DiskError("conflict", `File changed: another program just replaced it. Try again: ${clip(path)}`);
}
