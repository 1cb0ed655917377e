// Change notifications for subscriptions. Two sources work together: file events of git's own files, which are quick, and a regular
// comparison, which decides what has changed and sees what no event reports, such as an edited file. All of it stops with the last
// subscriber.
import { setTimeout as sleep } from "node:timers/promises";
import { NotificationThrottle } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";

const MAX_SUBSCRIPTIONS = 256;
const LOOK_MS = 1500;
const MAX_INTERVAL_MS = 30_000;
/** An interval is at least so many times as long as the last comparison took. */
const INTERVAL_FACTOR = 5;
const MAX_DEPTH = 6;

export interface WatchTarget {
  /** The state to compare; undefined when it cannot be read at the moment. */
  read(signal: AbortSignal): Promise<string | undefined>;
  /** Files and folders whose events are worth a comparison. */
  paths(): readonly string[];
}

export interface WatcherOptions {
  /** Milliseconds between two comparisons, at least. Default 1500. */
  readonly lookMs?: number | undefined;
}

export class Watcher {
  readonly #lookMs: number;
  readonly #subscriptions = new Set<AbortController>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ lookMs = LOOK_MS }: WatcherOptions = {}) {
    this.#lookMs = lookMs;
  }

  /** Calls `onChange` after changes until the returned function is called. The first state is read before this returns. */
  async watch(target: WatchTarget, onChange: () => void): Promise<() => void> {
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new GitError("too-large", `Too many subscriptions: this server holds at most ${MAX_SUBSCRIPTIONS}. End one of them first.`);
    const subscription = new AbortController();
    this.#subscriptions.add(subscription);
    try {
      const first = await target.read(subscription.signal);
      void this.#compareUntilAborted(target, first, onChange, subscription.signal).catch(() => {});
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw error;
    }
    return () => {
      subscription.abort();
      this.#subscriptions.delete(subscription);
    };
  }

  async #compareUntilAborted(target: WatchTarget, first: string | undefined, onChange: () => void, signal: AbortSignal): Promise<void> {
    let last = first;
    let wake = Promise.withResolvers<void>();
    const throttle = new NotificationThrottle(() => wake.resolve());
    const stopEvents = this.#watchFiles(target.paths(), () => throttle.changed(), signal);
    signal.addEventListener("abort", () => {
      throttle.cancel();
      stopEvents();
      wake.resolve();
    });
    let interval = this.#lookMs;
    while (!signal.aborted) {
      await firstOf(wake.promise, interval);
      wake = Promise.withResolvers<void>();
      if (signal.aborted) return;
      const startedAt = performance.now();
      // An unreadable state is compared again after the next interval.
      const state = await target.read(signal).catch(() => undefined);
      if (signal.aborted) return;
      interval = Math.min(MAX_INTERVAL_MS, Math.max(this.#lookMs, INTERVAL_FACTOR * (performance.now() - startedAt)));
      if (state === undefined || state === last) continue;
      last = state;
      onChange();
    }
  }

  #watchFiles(paths: readonly string[], onEvent: () => void, signal: AbortSignal): () => void {
    // Without file events the regular comparison remains.
    const opening = openFileWatcher(paths, onEvent, signal).catch(() => undefined);
    return () => {
      const closing = opening.then((close) => close?.()).catch(() => {});
      this.#closing.add(closing);
      void closing.then(() => this.#closing.delete(closing));
    };
  }

  async close(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.abort();
    this.#subscriptions.clear();
    await Promise.allSettled(this.#closing);
  }
}

/** Waits for a promise, but not longer than this. */
async function firstOf(promise: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([promise, sleep(ms, undefined, { ref: false, signal: timer.signal }).catch(() => {})]);
  timer.abort();
}

async function openFileWatcher(
  paths: readonly string[],
  onEvent: () => void,
  signal: AbortSignal,
): Promise<(() => Promise<void>) | undefined> {
  // Loaded on first use: 10 ms, and most sessions never subscribe.
  const { FSWatcher } = await import("chokidar");
  if (signal.aborted) return undefined;
  const watcher = new FSWatcher({ ignoreInitial: true, persistent: false, followSymlinks: false, depth: MAX_DEPTH, atomic: false });
  watcher.on("all", onEvent);
  watcher.on("error", () => {});
  watcher.add([...paths]);
  return () => watcher.close();
}
