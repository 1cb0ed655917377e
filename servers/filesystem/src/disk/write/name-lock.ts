// Locks on names: one writer at a time for a name in a directory. Within this process a queue serializes writers; between the processes
// of one user on one machine a mark in a system directory for shared memory or temporary files does. The mark is a symbolic link whose
// target text is the owner, because creating a link is atomic and fails if it exists. The mark of a dead owner is removed by the next
// writer. Programs that do not use this lock are not blocked by it.
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clip, KeyedQueue, randomName, reportChange, systemErrorCode } from "@oarlock/domain-kit";
import { digest } from "../text/hash.ts";
import type { FolderHandle } from "../access/area.ts";
import { DiskError } from "../errors.ts";
import { stateOf, thisProcess } from "./lock-owner.ts";
import { removeFolder } from "../transfer/tree-removal.ts";

export interface Place {
  readonly parent: FolderHandle;
  readonly name: string;
}

export interface Lock {
  /** The name for a temporary file beside the locked one. When this process is killed, the next owner of the lock removes the file. */
  readonly temp: string;
}

const WAIT_MS = 10_000;
const UNKNOWN_MS = 600_000;

const queue = new KeyedQueue();

/** Runs `work` while no other writer holds the name. */
export async function withLock<T>(place: Place, work: (lock: Lock) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const key = keyOf(place);
  return queue.run(key, async () => {
    const token = randomName();
    const owner = `${thisProcess()}.${token}`;
    const taken = await take(key, owner, place.name, signal);
    try {
      for (const orphan of taken.orphans) await sweep(place.parent, orphan);
      reportChange([join(place.parent.path, place.name)]);
      return await work({ temp: tempName(token) });
    } finally {
      if (taken.folder !== undefined) release(taken.folder, `${taken.folder}/${key}`, owner);
    }
  });
}

/** Locks two names, always in the same order, so that two moves cannot deadlock. */
export function withBothLocks<T>(a: Place, b: Place, work: (first: Lock, second: Lock) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const [ka, kb] = [keyOf(a), keyOf(b)];
  if (ka === kb) return withLock(a, (lock) => work(lock, lock), signal);
  return ka < kb
    ? withLock(a, (first) => withLock(b, (second) => work(first, second), signal), signal)
    : withLock(b, (second) => withLock(a, (first) => work(first, second), signal), signal);
}

// Removes the temporary file of a killed writer.
async function sweep(parent: FolderHandle, temp: string): Promise<void> {
  try {
    if (lstatSync(parent.at(temp)).isDirectory()) await removeFolder(parent, temp);
    else unlinkSync(parent.at(temp));
  } catch {
    // Usually there is none.
  }
}

function tempName(token: string): string {
  return `.oarlock-${token}.tmp`;
}

// Two spellings that a system may treat as one file share a lock; sharing too much is harmless.
function keyOf({ parent, name }: Place): string {
  return digest(`${parent.stat.dev} ${parent.stat.ino} ${name.normalize("NFC").toLowerCase()}`);
}

interface Taken {
  /** Undefined where no directory can be used: then only the writers of this process are serialized. */
  readonly folder: string | undefined;
  /** Temporary files of dead owners. */
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
      throw new DiskError("conflict", `File is locked: another process is changing ${clip(name)} and did not finish in time. Try again.`);
    }
    // A random wait keeps two processes from retrying in step.
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
    // The directory is in use, or was removed; either way the lock is released.
  }
}

const isWindows = process.platform === "win32"; // where links need a privilege, and a file must do

/** Creates the mark. False when it exists, or the directory was just removed. */
function makeMark(mark: string, owner: string): boolean {
  try {
    if (isWindows) writeFileSync(mark, owner, { flag: "wx" });
    else symlinkSync(owner, mark);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" || systemErrorCode(error) === "ENOENT") return false;
    throw new DiskError(
      "io",
      `Lock for writing could not be created (${systemErrorCode(error) ?? "unknown"}). Check the directory for temporary files.`,
    );
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
  const createdMs = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  return createdMs !== undefined && Date.now() - createdMs > UNKNOWN_MS;
}

/**
 * Takes away the mark of a dead owner. Two who both found it dead must not both remove it, or the second would remove the
 * mark that the first has created since. So only who holds the mark that belongs to this very death may do it; and should
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

/** The directory of the marks, which only this user can write to. */
function lockFolder(): string | undefined {
  const user = process.getuid?.() ?? 0;
  // Fixed directories before that of the environment, because two hosts may start this server with different environments. Shared
  // memory first, because on the disk a mark would wait for the writes that it guards.
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
    if (there === undefined) return folder; // just removed; the caller tries again
    const isOurs = there.isDirectory() && (isWindows || (there.uid === user && (there.mode & 0o022) === 0));
    if (isOurs) return folder;
  }
  return undefined;
}
