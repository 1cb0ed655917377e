// Notices of change for subscriptions, for a file or for the list of a folder, also for what does not exist yet. Two things work
// together: chokidar gives a hint within milliseconds, and a look through the door every second decides what is true, catches
// what no watcher sees (network drives, folders that come into being level by level, links turned elsewhere), and makes sure
// that nothing outside the area is ever heard of. Everything stops with the last subscriber; nothing keeps the process alive.
import { setTimeout as sleep } from "node:timers/promises";
import type { Area } from "../access/area.ts";
import { DiskError } from "../errors.ts";
import { Subscription } from "./subscription.ts";
import { NativeWatches } from "./native-watches.ts";

const MAX_SUBSCRIPTIONS = 256;
const LOOK_MS = 1000;
const MAX_NATIVE_ENTRIES = 10_000;

export interface Watcher {
  /** Calls `changed` after changes until the returned function is called. Refuses what the area refuses. */
  watch(area: Area, path: string, changed: () => void): () => void;
  /** Subscriptions that are open. */
  readonly size: number;
  /** Paths with a watcher of the system. */
  readonly watched: number;
  close(): Promise<void>;
}

export interface WatcherOptions {
  readonly maxSubscriptions?: number;
  /** Milliseconds between two looks. */
  readonly lookMs?: number;
  /** Chokidar looks at every entry of a folder, and remembers it; in larger folders the regular look must do. */
  readonly maxNativeEntries?: number;
}

export function createWatcher(options: WatcherOptions = {}): Watcher {
  const { maxSubscriptions: most = MAX_SUBSCRIPTIONS, lookMs = LOOK_MS, maxNativeEntries = MAX_NATIVE_ENTRIES } = options;
  const open = new Set<Subscription>();
  const native = new NativeWatches();
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
  return {
    watch(area, path, changed) {
      if (closed) throw new DiskError("conflict", "The server is closing and takes no more subscriptions.");
      if (open.size >= most) {
        throw new DiskError(
          "too-large",
          `There are ${open.size} subscriptions, which is the most this server holds. End one of them first.`,
        );
      }
      mustBeAllowed(area, path);
      const subscription = new Subscription(area, path, changed, { watches: native, maxEntries: maxNativeEntries });
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

/** A path that may come into being is as good as one that exists. */
function mustBeAllowed(area: Area, path: string): void {
  try {
    area.look(path);
  } catch (error) {
    if (!(error instanceof DiskError) || (error.code !== "not-found" && error.code !== "not-a-folder")) throw error;
  }
}
