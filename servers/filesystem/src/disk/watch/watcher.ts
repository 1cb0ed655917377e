// Watches files and folders for subscriptions, missing ones included. Two mechanisms work together: chokidar gives a hint within
// milliseconds, and a check through the sandbox every second decides. The check also finds changes that no watcher sees (network drives,
// folders that are created level by level, links with a new target), and changes outside the sandbox are never notified. Watching ends
// with the last subscription and does not keep the process alive.
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import type { LogEvent } from "../log-event.ts";
import { Subscription } from "./subscription.ts";
import { NativeWatches } from "./native-watches.ts";

const MAX_SUBSCRIPTIONS = 256;
const LOOK_MS = 1000;
const MAX_NATIVE_ENTRIES = 10_000;

export interface Watcher {
  /** Throws, and reports it, where one more subscription is over the limit; not for a path that this sandbox watches already. */
  checkLimit(sandbox: Sandbox, path: string): void;
  /** Calls `changed` after changes, until the returned function is called. Throws where the sandbox does. */
  watch(sandbox: Sandbox, path: string, changed: () => void): () => void;
  /** The number of open subscriptions. */
  readonly size: number;
  /** The number of paths with an established watch of the operating system. */
  readonly watched: number;
  close(): Promise<void>;
}

export interface WatcherOptions {
  readonly maxSubscriptions?: number;
  /** Milliseconds between two checks. Default 1000. */
  readonly lookMs?: number | undefined;
  /** Larger folders have the regular check only, because chokidar reads and keeps every entry. */
  readonly maxNativeEntries?: number;
  /** Reports limits that are reached. */
  readonly event?: LogEvent;
}

export function createWatcher(options: WatcherOptions = {}): Watcher {
  const { maxSubscriptions: most = MAX_SUBSCRIPTIONS, lookMs = LOOK_MS, maxNativeEntries = MAX_NATIVE_ENTRIES, event } = options;
  const open = new Set<Subscription>();
  const native = new NativeWatches(event);
  let rounds: AbortController | undefined;
  let closed = false;

  const goRound = async (signal: AbortSignal) => {
    for (;;) {
      await sleep(lookMs, undefined, { ref: false, signal });
      for (const subscription of [...open]) await subscription.look().catch(() => {});
    }
  };
  const stop = (subscription: Subscription) => {
    subscription.stop();
    if (!open.delete(subscription) || open.size > 0) return;
    rounds?.abort();
    rounds = undefined;
  };
  const checkLimit = (): void => {
    if (open.size < most) return;
    event?.("warning", `Subscription refused: ${open.size} are open, the most for this server.`);
    throw new DiskError("too-large", `Too many subscriptions: ${open.size} are open, the most for this server. End one of them first.`);
  };
  return {
    checkLimit(sandbox, path) {
      if (![...open].some((subscription) => subscription.isOf(sandbox, path))) checkLimit();
    },
    watch(sandbox, path, changed) {
      if (closed) throw new DiskError("conflict", "Server is closing: no more subscriptions.");
      checkLimit();
      checkWatchable(sandbox, path);
      const subscription = new Subscription(sandbox, path, changed, { watches: native, maxEntries: maxNativeEntries });
      open.add(subscription);
      subscription.look().catch(() => {});
      if (!rounds) {
        rounds = new AbortController();
        goRound(rounds.signal).catch(() => {});
      }
      return () => stop(subscription);
    },
    get size() {
      return open.size;
    },
    get watched() {
      return native.size;
    },
    async close() {
      closed = true;
      for (const subscription of [...open]) stop(subscription);
      await native.closed();
    },
  };
}

/** Throws where the sandbox does; a missing path is allowed, because it may be created later. */
export function checkWatchable(sandbox: Sandbox, path: string): void {
  try {
    sandbox.look(path);
  } catch (error) {
    if (!(error instanceof DiskError) || (error.code !== "not-found" && error.code !== "not-a-folder")) throw error;
  }
}
