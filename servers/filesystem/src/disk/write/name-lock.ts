// Locks on names: one writer at a time for a name in a directory. Within this process a queue serializes writers; between the processes
// of one user on one machine a mark in a system directory for shared memory or temporary files does. The mark is a symbolic link whose
// target text is the owner, because creating a link is atomic and fails if it exists. The mark of a dead owner is removed by the next
// writer. Programs that do not use this lock are not blocked by it.
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clip, KeyedQueue, randomName, reportChange, systemErrorCode } from "@oarlock/domain-kit";
import { digest } from "../text/hash.ts";
import type { FolderHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { isWindows } from "../../platform.ts";
import { breakMark, isDead, makeMark, marksOn, noLock, readMark, removeOwnMark, type MarkCalls } from "./lock-mark.ts";
import { thisProcess } from "./lock-owner.ts";
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

const queue = new KeyedQueue();

/** Runs `work` while no other writer holds the name. */
export async function withLock<T>(
  place: Place,
  work: (lock: Lock) => Promise<T>,
  signal?: AbortSignal,
  marks: MarkCalls = marksOn(),
): Promise<T> {
  const key = keyOf(place);
  return queue.run(key, async () => {
    const token = randomName();
    const owner = `${thisProcess()}.${token}`;
    const taken = await take({ key, owner, name: place.name, marks, signal });
    try {
      for (const orphan of taken.orphans) await sweep(place.parent, orphan);
      reportChange([join(place.parent.path, place.name)]);
      return await work({ temp: tempName(token) });
    } finally {
      if (taken.folder !== undefined) await release(taken.folder, `${taken.folder}/${key}`, owner, marks);
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

interface Wanted {
  readonly key: string;
  readonly owner: string;
  readonly name: string;
  readonly marks: MarkCalls;
  readonly signal: AbortSignal | undefined;
}

async function take({ key, owner, name, marks, signal }: Wanted): Promise<Taken> {
  const orphans: string[] = [];
  const until = performance.now() + WAIT_MS;
  for (let pause = 1; ; pause = Math.min(pause * 2, 25)) {
    signal?.throwIfAborted();
    const folder = lockFolder();
    if (folder === undefined) return { folder, orphans };
    const mark = `${folder}/${key}`;
    if (makeMark(mark, owner, marks)) return { folder, orphans };
    const other = readMark(mark, marks);
    if (other !== undefined && isDead(mark, other) && (await breakMark(mark, other, owner, marks))) {
      orphans.push(...tempsOf(other));
      continue;
    }
    if (performance.now() > until) {
      if (other === undefined) throw noLock("in use");
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

async function release(folder: string, mark: string, owner: string, marks: MarkCalls): Promise<void> {
  try {
    await removeOwnMark(mark, owner, marks);
    // Only when it was the last one. Windows keeps the directory: it answers EPERM for new files in one that is about to disappear.
    if (marks.platform !== "win32") rmdirSync(folder);
  } catch {
    // The directory is in use, or was removed; either way the lock is released.
  }
}

/** The directory of the marks, which only this user can write to. */
function lockFolder(): string | undefined {
  const user = process.getuid?.() ?? 0;
  // Fixed directories before that of the environment, because two hosts may start this server with different environments. Shared
  // memory first, because on the disk a mark would wait for the writes that it guards.
  const places = isWindows ? [undefined] : ["/dev/shm", "/tmp", undefined];
  for (const place of places) {
    const folder = `${place ?? process.getBuiltinModule("node:os").tmpdir()}/oarlock-locks-${user}`;
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
