// Moving and renaming. Without `overwrite` the new name is taken in a way that fails when it is not free, so there is no
// moment in which somebody else's file could be lost. A link is moved as a link.
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  readlinkSync,
  unlinkSync,
  type BigIntStats,
} from "node:fs";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { copyEntries, copyFill, setMode, setModes } from "./device-copy.ts";
import { Carried } from "./copied-metadata.ts";
import type { Area, Entry } from "../access/area.ts";
import { checkLinkStaysInside } from "../access/link-target.ts";
import { DiskError, fromSystem } from "../errors.ts";
import { hidesNothingBelow } from "./hidden-names.ts";
import { withBoth, type Lock } from "../write/name-lock.ts";
import { isInside } from "../access/path-syntax.ts";
import { isSameEntry, isWithin } from "./place-identity.ts";
import { removeFolder } from "./tree-removal.ts";
import { claim, isWithoutLinks, replace, syncFolder } from "../write/atomic-replace.ts";
import { lookAt } from "../access/entry-stat.ts";

const MOST_BYTES = 1024n * 1024n;

export interface MoveOptions {
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly overwritten: boolean;
}

interface Move {
  readonly source: Entry;
  readonly target: Entry;
  readonly stat: BigIntStats;
  readonly old: BigIntStats | undefined;
  readonly lock: Lock;
  readonly signal: AbortSignal | undefined;
}

export async function move(area: Area, from: string, to: string, options: MoveOptions = {}): Promise<Moved> {
  using source = area.entry(from);
  using target = area.entry(to);
  area.mustBeWritable(source.path);
  area.mustBeWritable(target.path);
  return await withBoth(
    source,
    target,
    async (_, lock) => {
      const { stat, old } = check(area, source, target, from, to, options.overwrite ?? false);
      try {
        await act({ source, target, stat, old, lock, signal: options.signal });
        await syncFolder(target.parent);
        await syncFolder(source.parent);
      } catch (error) {
        if (systemErrorCode(error) === "EEXIST" || systemErrorCode(error) === "ENOTEMPTY") throw taken(to);
        throw fromSystem(error, to);
      }
      return { from: source.path, to: target.path, overwritten: old !== undefined };
    },
    options.signal,
  );
}

/** Throws where even a move that may replace what is there cannot be made: nobody is to be asked about it. */
export function checkMove(area: Area, from: string, to: string): void {
  using source = area.entry(from);
  using target = area.entry(to);
  area.mustBeWritable(source.path);
  area.mustBeWritable(target.path);
  check(area, source, target, from, to, true);
}

export function taken(to: string): DiskError {
  return new DiskError("exists", `Destination already exists: ${clip(to)}`);
}

function check(area: Area, source: Entry, target: Entry, from: string, to: string, overwrite: boolean) {
  const stat = lookAt(source);
  if (stat === undefined) throw new DiskError("not-found", `No such file or directory: ${clip(from)}`);
  const isFolder = stat.isDirectory();
  if ((source.asFolder || target.asFolder) && !isFolder)
    throw new DiskError("not-a-folder", `A path that ends in a slash must be a directory: ${clip(from)}`);
  if (stat.isSymbolicLink()) checkLinkStaysInside(area, from);
  else if (!isFolder && !stat.isFile()) throw new DiskError("not-a-file", `Neither a file, a directory nor a link: ${clip(from)}`);
  const old = lookAt(target);
  if (old?.isSymbolicLink() === true) checkLinkStaysInside(area, to);
  if (isSameEntry(source, target)) throw taken(to);
  if (isFolder && (isInside(target.path, source.path) || isWithin(target.parent, stat)))
    throw new DiskError("invalid", `A directory cannot be moved into itself: ${clip(to)}`);
  if (isFolder) hidesNothingBelow(area, from);
  if (old !== undefined && (!overwrite || old.isDirectory() !== isFolder)) throw taken(to);
  if (isFolder && old !== undefined && !isSame(stat, old) && holdsSomething(target))
    throw new DiskError("exists", `Destination already exists, and a directory that is not empty is not replaced: ${clip(to)}`);
  return { stat, old };
}

/** Where that cannot be seen, or only in a long list of names, the act itself will tell. */
function holdsSomething({ parent, name }: Entry): boolean {
  try {
    using folder = parent.child(name);
    return folder !== undefined && folder.stat.size < MOST_BYTES && readdirSync(folder.self).length > 0;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return false;
  }
}

async function act(move: Move): Promise<void> {
  try {
    rename(move);
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
    await carry(move);
  }
}

function rename({ source, target, stat, old }: Move): void {
  const [from, to] = [source.parent.at(source.name), target.parent.at(target.name)];
  if (isSame(stat, old)) renameToItself(source, target);
  else if (old !== undefined) renameSync(from, to); // replaces a file or link, or an empty directory, in one step
  else if (stat.isDirectory()) renameFolder(from, to);
  else renameFile(source, target, stat);
}

const isSame = (a: BigIntStats, b: BigIntStats | undefined) => a.ino === b?.ino && a.dev === b.dev;

// Two names of one file: rename does nothing then, and says that it was done.
function renameToItself(source: Entry, target: Entry): void {
  const isOneName = source.name.toLowerCase() === target.name.toLowerCase() && isSame(source.parent.stat, target.parent.stat);
  if (isOneName) renameSync(source.parent.at(source.name), target.parent.at(target.name));
  else unlinkSync(source.parent.at(source.name));
}

/** Gives a complete directory its name, which must be free. */
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
  // Where each may remove only what is his own, a second name of somebody else's file would be there to stay.
  if (!isOurs(stat) || !isLinked(from, to)) {
    claim(target.parent, target.name);
    try {
      renameSync(from, to);
    } catch (error) {
      unlinkSync(to);
      throw error;
    }
    return;
  }
  const now = lstatSync(from, { bigint: true, throwIfNoEntry: false });
  // Somebody has put another file under the old name: it is not ours to remove.
  if (!isSame(stat, now)) return;
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
    if (isWithoutLinks(error)) return false;
    throw error;
  }
}

/** From one file system to another: copy, make sure that it is complete and on the disk, then remove. */
async function carry(move: Move): Promise<void> {
  const { source, target, stat, old, lock, signal } = move;
  if (stat.isDirectory()) return carryFolder(move);
  const carried = new Carried();
  carried.note(source.path, stat);
  if (stat.isSymbolicLink()) {
    const made = target.parent.at(old === undefined ? target.name : lock.temp);
    symlinkSync(readlinkSync(source.parent.at(source.name)), made);
    if (old !== undefined) renameSync(made, target.parent.at(target.name));
  } else {
    const how = { old: undefined, mode: Number(stat.mode) & 0o777, mustBeNew: old === undefined, signal };
    await replace(target, lock, copyFill(source.parent, source.name, signal), how, () => undefined);
  }
  carried.mustBe(source.path, lookAt(source));
  try {
    unlinkSync(source.parent.at(source.name));
  } catch (error) {
    throw leftBehind(error, source);
  }
}

/** By now there is a copy: the error must not sound as if nothing had been done. */
function leftBehind(error: unknown, { path }: Entry): DiskError {
  const why = fromSystem(error, path);
  return why.code === "conflict"
    ? why
    : new DiskError(why.code, `Everything was copied to the destination, but the source could not be removed. ${why.message}`);
}

async function carryFolder({ source, target, stat, lock, signal, old }: Move): Promise<void> {
  using from = source.parent.child(source.name);
  if (from === undefined) throw new DiskError("conflict", `The directory changed in the meantime: ${clip(source.name)}`);
  const carried = new Carried();
  mkdirSync(target.parent.at(lock.temp), { mode: 0o700 });
  try {
    using made = target.parent.child(lock.temp);
    if (made === undefined) throw new DiskError("conflict", `The copy changed in the meantime: ${clip(target.name)}`);
    await copyEntries(from, made, carried, signal);
    setModes(from, made);
    setMode(made, Number(stat.mode) & 0o777);
    signal?.throwIfAborted();
    if (old === undefined) renameFolder(target.parent.at(lock.temp), target.parent.at(target.name));
    else renameSync(target.parent.at(lock.temp), target.parent.at(target.name));
  } catch (error) {
    await removeFolder(target.parent, lock.temp);
    throw error;
  }
  await syncFolder(target.parent);
  try {
    await removeFolder(source.parent, source.name, (path, now) => carried.mustBe(path, now));
  } catch (error) {
    // Something was added to it at the last moment.
    if (error instanceof DiskError && error.code === "exists") carried.mustBe(source.path, undefined);
    throw leftBehind(error, source);
  }
}
