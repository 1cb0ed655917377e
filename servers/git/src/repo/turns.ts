// Commands that take git's locks, one after another: calls that come side by side would fail over each other's index.lock.

/** Those that take one. A transfer is not among them: others do not wait for a network. */
const LOCKING: ReadonlySet<string> = new Set([
  "add",
  "branch",
  "checkout",
  "cherry-pick",
  "commit",
  "merge",
  "rebase",
  "remote",
  "reset",
  "restore",
  "revert",
  "stash",
  "tag",
  "worktree",
]);

export const takesLocks = (command: string): boolean => LOCKING.has(command);

/** By the folder that all work trees share: the end of the last one in the row. */
const rows = new Map<string, Promise<void>>();

/** Runs `work` when those before it have ended. */
export async function inTurn<T>(commonDir: string, signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  const before = rows.get(commonDir);
  const ended = Promise.withResolvers<void>();
  // Who gives up waiting does not let the next one in before its time.
  const row = before === undefined ? ended.promise : before.then(() => ended.promise);
  rows.set(commonDir, row);
  void row.then(() => {
    if (rows.get(commonDir) === row) rows.delete(commonDir);
  });
  const givenUp = Promise.withResolvers<void>();
  const giveUp = (): void => givenUp.resolve();
  signal?.addEventListener("abort", giveUp);
  try {
    if (before !== undefined) await Promise.race([before, givenUp.promise]);
    signal?.throwIfAborted();
    return await work();
  } finally {
    signal?.removeEventListener("abort", giveUp);
    ended.resolve();
  }
}
