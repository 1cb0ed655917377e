// A lock between processes: a file that exists while one of them holds it, with the random id of the holder.
import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { isInUse, retryWhileInUse, systemErrorCode } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";
import { AuthorizationError } from "./oauth-error.ts";

/** A process that has died leaves its file; no process holds the lock for so long. */
const STALE_MS = 30_000;
const RETRY_MS = 25;
const MAX_WAIT_MS = 60_000;

/** The system calls on the file of a lock, with the platform that answers. */
export interface LockCalls {
  readonly platform: NodeJS.Platform;
  /** Fails where the file exists. */
  readonly create: (path: string, id: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

export const systemLockCalls: LockCalls = {
  platform,
  create: (path, id) => writeFile(path, id, { flag: "wx", mode: 0o600 }),
  remove: (path) => rm(path, { force: true }),
};

/** Runs the action while no other process holds the lock. Throws an `AuthorizationError` when the lock is not free in time. */
export async function withFileLock<T>(
  path: string,
  action: () => Promise<T>,
  maxWaitMs = MAX_WAIT_MS,
  calls = systemLockCalls,
): Promise<T> {
  const id = randomUUID();
  const deadline = performance.now() + maxWaitMs;
  while (!(await tryAcquire(path, id, calls))) {
    await removeStale(path);
    if (performance.now() > deadline)
      throw new AuthorizationError(
        `Credentials are in use by another process: expected ${path} to be free. Delete this file if none runs.`,
      );
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random())));
  }
  try {
    return await action();
  } finally {
    // Another process may have taken the lock of this one for stale.
    const remove = async (): Promise<void> => {
      if ((await idIn(path, calls.platform)) === id) await calls.remove(path);
    };
    await retryWhileInUse(remove, calls.platform);
  }
}

/** False while another process holds the lock, and on Windows while a removed file has not disappeared yet. */
async function tryAcquire(path: string, id: string, calls: LockCalls): Promise<boolean> {
  try {
    await calls.create(path, id);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST" || isInUse(error, calls.platform)) return false;
    throw error;
  }
}

async function removeStale(path: string): Promise<void> {
  const id = await idIn(path);
  const age = await stat(path).then(
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs), // a file of the future was written before the clock was set back
    () => 0, // it has just been released
  );
  if (age <= STALE_MS) return;
  // By renaming, only one of several processes removes the file.
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // another process was first
  }
  // The file of a process that has acquired the lock meanwhile is put back.
  if ((await idIn(aside)) !== id) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Undefined where it cannot be read. `on`: throws where it may be readable after a moment on that platform. */
async function idIn(path: string, on?: NodeJS.Platform): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (on !== undefined && isInUse(error, on)) throw error;
    return undefined;
  }
}
