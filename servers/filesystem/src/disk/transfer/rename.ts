// Renames within one file system.
import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync, type BigIntStats } from "node:fs";
import type { Entry } from "../access/area.ts";
import { claimName, isLinkUnsupported } from "../write/atomic-replace.ts";
import { isSameObject } from "./place-identity.ts";

interface Rename {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  /** What the destination is now; it is replaced. */
  readonly old: BigIntStats | undefined;
}

/** Throws EXDEV where the destination lies on another file system. */
export function rename({ source, target, stat, old }: Rename): void {
  const [from, to] = [source.parent.at(source.name), target.parent.at(target.name)];
  if (isSameObject(stat, old)) renameToItself(source, target);
  else if (old !== undefined) renameSync(from, to); // replaces a file or link, or an empty directory, in one step
  else if (stat.isDirectory()) renameFolder(from, to);
  else renameFile(source, target, stat);
}

// Of two names of one file: rename(2) would do nothing and report success.
function renameToItself(source: Entry, target: Entry): void {
  const isOneName = source.name.toLowerCase() === target.name.toLowerCase() && isSameObject(source.parent.stat, target.parent.stat);
  if (isOneName) renameSync(source.parent.at(source.name), target.parent.at(target.name));
  else unlinkSync(source.parent.at(source.name));
}

/** Gives a directory a name that must be free. */
export function renameFolder(from: string, to: string): void {
  mkdirSync(to);
  try {
    renameSync(from, to); // an empty directory may be replaced by another
  } catch (error) {
    rmdirSync(to);
    throw error;
  }
}

function renameFile(source: Entry, target: Entry, stat: BigIntStats): void {
  const [from, to] = [source.parent.at(source.name), target.parent.at(target.name)];
  // In a sticky directory a user removes only own files: a second name of another user's file could not be removed again.
  if (!isOurs(stat) || !isLinked(from, to)) {
    claimName(target.parent, target.name);
    try {
      renameSync(from, to);
    } catch (error) {
      unlinkSync(to);
      throw error;
    }
    return;
  }
  const now = lstatSync(from, { bigint: true, throwIfNoEntry: false });
  // Another program has put another file under the old name: that file stays.
  if (!isSameObject(stat, now)) return;
  try {
    unlinkSync(from);
  } catch (error) {
    unlinkSync(to);
    throw error;
  }
}

function isOurs({ uid }: BigIntStats): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === 0 || BigInt(user) === uid;
}

/** False where there are no hard links. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isLinkUnsupported(error)) return false;
    throw error;
  }
}
