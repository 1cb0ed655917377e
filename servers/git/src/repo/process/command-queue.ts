// Serializes commands that take the same lock of git: calls that run side by side would fail over each other's index.lock.
import { KeyedQueue } from "@oarlock/domain-kit";

/**
 * `index`: the lock files of the index and of refs. `fetch`: FETCH_HEAD, which every fetch writes and a pull reads; it has a queue of
 * its own, so that a local command does not wait for the network.
 */
export type Lock = "index" | "fetch";

const queue = new KeyedQueue();

/** Runs `work` when earlier work with any of these locks has ended. `commonDir` is the folder that all work trees share. */
export function withLocks<T>(
  commonDir: string,
  locks: readonly Lock[],
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return locks.reduceRight<() => Promise<T>>((inner, lock) => () => queue.run(`${lock} ${commonDir}`, inner, signal), work)();
}
