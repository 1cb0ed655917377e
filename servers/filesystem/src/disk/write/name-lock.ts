// One writer at a time for a name in a directory: within this process by a queue, between the processes of one user on
// one machine by a mark in a system folder for shared memory or temporary files. The mark is a link whose text is the
// owner, since a link is made whole or not at all and fails if it is there. It goes with the lock, and a mark whose owner
// has died is taken away by the next who comes. Programs that do not use this lock are not held up by it.
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { clip, KeyedQueue, systemErrorCode } from "@oarlock/domain-kit";
import { digest, randomName } from "../text/hash.ts";
import type { FolderHandle } from "../access/area.ts";
import { DiskError } from "../errors.ts";
import { stateOf, thisProcess } from "./lock-owner.ts";
import { removeFolder } from "../transfer/tree-removal.ts";

export interface Place {
  readonly parent: FolderHandle;
  readonly name: string;
}

export interface Lock {
  /** The name for a temporary file beside the locked one; who is killed leaves it to the next owner of the lock. */
  readonly temp: string;
}

const WAIT_MS = 10_000;
const UNKNOWN_MS = 600_000;

const queue = new KeyedQueue();

/** Runs `work` while nobody else changes the name. */
export async function withLock<T>(place: Place, work: (lock: Lock) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = keyOf(place);
  return queue.run(key, async () => {
    const token = randomName();
    const owner = `${thisProcess()}.${token}`;
    const taken = await take(key, owner, place.name, signal);
    try {
      for (const orphan of taken.orphans) await sweep(place.parent, orphan);
      return await work({ temp: tempName(token) });
    } finally {
      if (taken.folder !== undefined) release(taken.folder, `${taken.folder}/${key}`, owner);
    }
  });
}

/** Locks two names, always in the same order, so that two moves cannot wait for each other. */
export function withBothLocks<T>(a: Place, b: Place, work: (first: Lock, second: Lock) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const [ka, kb] = [keyOf(a), keyOf(b)];
  if (ka === kb) return withLock(a, (lock) => work(lock, lock), signal);
  return ka < kb
    ? withLock(a, (first) => withLock(b, (second) => work(first, second), signal), signal)
    : withLock(b, (second) => withLock(a, (first) => work(first, second), signal), signal);
}

// What somebody left who was killed before it got its name.
async function sweep(parent: FolderHandle, temp: string): Promise<void> {
  try {
    if (lstatSync(parent.at(temp)).isDirectory()) await removeFolder(parent, temp);
    else unlinkSync(parent.at(temp));
  } catch {
    // There was nothing, as a rule.
  }
}

function tempName(token: string): string {
  return `.oarlock-${token}.tmp`;
}

// Two spellings that some system takes for one file share a lock; a lock too many does no harm.
function keyOf({ parent, name }: Place): string {
  return digest(`${parent.stat.dev} ${parent.stat.ino} ${name.normalize("NFC").toLowerCase()}`);
}

interface Taken {
  /** Undefined where no folder can be used: then only this process is in order. */
  readonly folder: string | undefined;
  /** Temporary files of owners who died. */
  readonly orphans: readonly string[];
}

async function take(key: string, owner: string, name: string, signal: AbortSignal | undefined): Promise<Taken> {
  const orphans: string[] = [];
  const until = performance.now() + WAIT_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, 25)) {
    signal?.throwIfAborted();
    const folder = lockFolder();
    if (folder === undefined) return { folder, orphans };
    const mark = `${folder}/${key}`;
    if (makeMark(mark, owner)) return { folder, orphans };
    const other = readMark(mark);
    if (other !== undefined && isDead(mark, other) && breakMark(mark, other, owner, 0)) {
      orphans.push(...tempsOf(other));
      continue;
    }
    if (performance.now() > until) {
      throw new DiskError("conflict", `Another process is changing ${clip(name)} and did not finish in time; try again.`);
    }
    // A wait of random length keeps two processes from meeting again and again.
    await sleep(pause * (0.5 + Math.random()), undefined, { signal });
  }
}

function tempsOf(owner: string): string[] {
  const token = owner.split(".").at(-1) ?? "";
  return /^[0-9a-f]{32}$/.test(token) ? [tempName(token)] : [];
}

function release(folder: string, mark: string, owner: string): void {
  try {
    if (readMark(mark) === owner) unlinkSync(mark);
    rmdirSync(folder); // only when it was the last one
  } catch {
    // Others are at work, or somebody has cleaned up; either way the lock is gone.
  }
}

const isWindows = process.platform === "win32"; // where links need a privilege, and a file must do

/** Makes the mark unless it exists, or the folder went away a moment ago. */
function makeMark(mark: string, owner: string): boolean {
  try {
    if (isWindows) writeFileSync(mark, owner, { flag: "wx" });
    else symlinkSync(owner, mark);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" || systemErrorCode(error) === "ENOENT") return false;
    throw new DiskError("io", `The lock for writing could not be made (${systemErrorCode(error) ?? "unknown"}).`);
  }
}

function readMark(mark: string): string | undefined {
  try {
    return isWindows ? readFileSync(mark, "latin1") : readlinkSync(mark);
  } catch {
    return undefined;
  }
}

function isDead(mark: string, owner: string): boolean {
  const state = stateOf(owner);
  if (state !== "unknown") return state === "dead";
  const made = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > UNKNOWN_MS;
}

/**
 * Takes away the mark of a dead owner. Two who both found it dead must not both remove it, or the second would remove the
 * mark that the first has made since. So only who holds the mark that belongs to this very death may do it; and should
 * that one die too, the same rule applies to its mark.
 */
function breakMark(mark: string, dead: string, owner: string, depth: number): boolean {
  const right = `${mark}.${digest(dead)}`;
  if (!makeMark(right, owner)) {
    const other = readMark(right);
    if (other !== undefined && depth < 4 && isDead(right, other)) breakMark(right, other, owner, depth + 1);
    return false;
  }
  try {
    if (readMark(mark) !== dead) return false;
    unlinkSync(mark);
    return true;
  } finally {
    unlinkSync(right);
  }
}

/** A folder that only this user can write to. */
function lockFolder(): string | undefined {
  const user = process.getuid?.() ?? 0;
  // Not the environment's folder first: two hosts may start us with different environments. And memory before disk, since
  // on the disk a mark would have to wait for the very writes that it guards.
  const places = isWindows ? [] : ["/dev/shm", "/tmp"];
  for (const place of [...places, process.getBuiltinModule("node:os").tmpdir()]) {
    const folder = `${place}/oarlock-locks-${user}`;
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") continue;
    }
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there === undefined) return folder; // removed just now; the caller tries again
    const isOurs = there.isDirectory() && (isWindows || (there.uid === user && (there.mode & 0o022) === 0));
    if (isOurs) return folder;
  }
  return undefined;
}
