// Renames within one file system. On Windows a rename is MoveFileEx with MOVEFILE_REPLACE_EXISTING: it never replaces a directory.
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync, type BigIntStats } from "node:fs";
import { isLinkUnsupported, randomName, renameOver, renameToFreeName, retryWhileInUse, systemErrorCode } from "@oarlock/domain-kit";
import type { Entry } from "../access/sandbox.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import type { Place } from "../write/name-lock.ts";
import { isSameObject } from "./place-identity.ts";

interface Rename {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  /** What the destination is now; it is replaced. */
  readonly old: BigIntStats | undefined;
}

/** Throws EXDEV where the destination lies on another file system. */
export async function rename({ source, target, stat, old }: Rename, calls: DiskCalls = diskCalls): Promise<void> {
  const [from, to] = [source.parent.at(source.name), target.parent.at(target.name)];
  if (isSameObject(stat, old)) renameToItself(source, target, stat);
  else if (old !== undefined) await renameOverEntry(from, target, calls);
  else if (stat.isDirectory()) await renameFolder(from, to, calls);
  else if (stat.isSymbolicLink()) await renameLink(from, to, calls);
  else await renameFile(from, to, stat, calls);
}

// Of two names of one file: rename(2) would do nothing and report success.
function renameToItself(source: Entry, target: Entry, stat: BigIntStats): void {
  const from = source.parent.at(source.name);
  if (isOneName(stat, source, target)) respell(source, target, from);
  else unlinkSync(from);
}

/** Whether two entries that lead to one object are one name in two spellings: what has a single name has no other. */
export function isOneName(stat: BigIntStats, source: Entry, target: Entry): boolean {
  if (stat.isDirectory() || stat.nlink === 1n) return true;
  // A second hard link is listed.
  return isSameObject(source.parent.stat, target.parent.stat) && !readdirSync(target.parent.self).includes(target.name);
}

function respell(source: Entry, target: Entry, from: string): void {
  renameSync(from, target.parent.at(target.name));
  if (!readdirSync(source.parent.self).includes(source.name)) return;
  // Linux does nothing where both spellings lead to one object (rename(2)): a free name lies between them.
  const between = source.parent.at(`.oarlock-${randomName()}.tmp`);
  renameSync(from, between);
  try {
    renameSync(between, target.parent.at(target.name));
  } catch (error) {
    renameSync(between, from);
    throw error;
  }
}

/**
 * Replaces a file or a link, or an empty directory by another directory: in one step, except on Windows.
 * @param check Called before each try. Throws where what is there may not be replaced any more.
 */
export async function renameOverEntry(from: string, target: Place, calls: DiskCalls, check = (): void => undefined): Promise<void> {
  const to = target.parent.at(target.name);
  const mayReplace = (): boolean => (check(), true);
  if (calls.platform !== "win32" || [from, to].every(isFile)) return void (await renameOver(from, to, calls, mayReplace));
  check();
  if (lstatSync(to).isDirectory()) await renameOverFolder(from, to, calls);
  else await renameOverLink(from, to, target.parent.at(`.oarlock-${randomName()}.tmp`), calls);
}

/** Also where there is nothing any more. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** Windows, for an empty directory, which is removed first. */
async function renameOverFolder(from: string, to: string, calls: DiskCalls): Promise<void> {
  rmdirSync(to);
  try {
    await renameToUnusedName(from, to, calls);
  } catch (error) {
    mkdirSync(to);
    throw error;
  }
}

/** Windows, where one of the two is a link, which counts as a directory when it leads to one. The old one is put aside meanwhile. */
async function renameOverLink(from: string, to: string, aside: string, calls: DiskCalls): Promise<void> {
  await renameOver(to, aside, calls);
  try {
    await renameToUnusedName(from, to, calls);
  } catch (error) {
    await renameToUnusedName(aside, to, calls);
    throw error;
  }
  await retryWhileInUse(() => unlinkSync(aside), calls.platform);
}

/** Gives a directory a name that must be free. */
export async function renameFolder(from: string, to: string, calls: DiskCalls = diskCalls): Promise<void> {
  if (calls.platform === "win32") return await renameToUnusedName(from, to, calls);
  mkdirSync(to);
  try {
    calls.rename(from, to); // an empty directory may be replaced by another
  } catch (error) {
    rmdirSync(to);
    throw error;
  }
}

/** Never by link(2), which follows a link on macOS: the new name would be one of the target. */
async function renameLink(from: string, to: string, calls: DiskCalls): Promise<void> {
  if (calls.platform === "win32") await renameToUnusedName(from, to, calls);
  else await renameToFreeName(from, to, calls);
}

/**
 * Windows, for directories and for links, which count as directories there when they lead to one: the name cannot be taken by an empty
 * directory or file first, because neither can be replaced by a directory. MoveFileEx itself refuses a directory that has the name. A file
 * that another program creates between the look and the rename may be lost.
 */
async function renameToUnusedName(from: string, to: string, calls: DiskCalls): Promise<void> {
  const mustBeFree = (): boolean => {
    if (lstatSync(to, { throwIfNoEntry: false }) === undefined) return true;
    throw Object.assign(new Error(`EEXIST: file already exists, rename '${from}' -> '${to}'`), { code: "EEXIST" });
  };
  try {
    await renameOver(from, to, calls, mustBeFree);
  } catch (error) {
    if (systemErrorCode(error) === "EPERM") mustBeFree();
    throw error;
  }
}

async function renameFile(from: string, to: string, stat: BigIntStats, calls: DiskCalls): Promise<void> {
  // In a sticky directory a user removes only own files: a second name of another user's file could not be removed again.
  if (!isOurs(stat) || !isLinked(from, to, calls)) return await renameToFreeName(from, to, calls);
  const now = lstatSync(from, { bigint: true, throwIfNoEntry: false });
  // Another program has put another file under the old name: that file stays.
  if (!isSameObject(stat, now)) return;
  try {
    await retryWhileInUse(() => unlinkSync(from), calls.platform);
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
function isLinked(from: string, to: string, calls: DiskCalls): boolean {
  try {
    calls.link(from, to);
    return true;
  } catch (error) {
    if (isLinkUnsupported(error)) return false;
    throw error;
  }
}
