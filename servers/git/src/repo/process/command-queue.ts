// Commands that take git's locks, one after another: calls that come side by side would fail over each other's index.lock. What fetches
// has a row of its own, as others do not wait for a network: all of them write the one FETCH_HEAD, and a pull brings in whatever it names.
import type { Argument } from "./git-process.ts";

/** Those that take one. */
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

type Row = "fetched" | "locked";

function rowsFor([command, step]: readonly Argument[]): Row[] {
  if (command === "fetch") return ["fetched"];
  if (command === "pull") return ["fetched", "locked"];
  // Of those that take one, these only look.
  const looks = (command === "stash" || command === "worktree") && (step === "list" || step === "show");
  return LOCKING.has(String(command)) && !looks ? ["locked"] : [];
}

/** By kind, and the directory that all work trees share: the end of the last one in the row. */
const rows = new Map<string, Promise<void>>();

/** Runs `work`, which is git with these arguments, when those before it have ended. */
export const inTurn = <T>(
  commonDir: string,
  args: readonly Argument[],
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => rowsFor(args).reduceRight((inner, kind) => () => inRow(`${kind} ${commonDir}`, signal, inner), work)();

async function inRow<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const before = rows.get(name);
  const ended = Promise.withResolvers<void>();
  // Who gives up waiting does not let the next one in before its time.
  const row = before === undefined ? ended.promise : before.then(() => ended.promise);
  rows.set(name, row);
  void row.then(() => {
    if (rows.get(name) === row) rows.delete(name);
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
