// Notices of change for subscriptions. Two things work together: chokidar gives a hint when git writes its own files, and a regular look
// decides what is true and sees what no watcher does, such as a file of the work tree. Everything stops with the last subscriber.
import { setTimeout as sleep } from "node:timers/promises";
import { GitError } from "../errors.ts";
import { Pace } from "./notification-throttle.ts";

const MOST = 256;
/** Between two looks, and for slow ones so many times as long as a look takes. */
const LOOK_MS = 1500;
const SHARE = 5;
const LONGEST_MS = 30_000;

export interface Watched {
  /** What is to be compared; undefined when it cannot be told now. */
  look(signal: AbortSignal): Promise<string | undefined>;
  /** Files and folders of git whose changes are worth a look. */
  hints(): readonly string[];
}

export class Watcher {
  readonly #open = new Set<AbortController>();
  readonly #closing = new Set<Promise<void>>();

  /** Calls `changed` after changes until the returned function is called. The first look is made before it returns. */
  async watch(watched: Watched, changed: () => void): Promise<() => void> {
    if (this.#open.size >= MOST)
      throw new GitError("too-large", `There are ${MOST} subscriptions, which is the most this server holds. End one of them first.`);
    const stop = new AbortController();
    this.#open.add(stop);
    try {
      const first = await watched.look(stop.signal);
      void this.#go(watched, first, changed, stop.signal).catch(() => {});
    } catch (error) {
      this.#open.delete(stop);
      throw error;
    }
    return () => {
      stop.abort();
      this.#open.delete(stop);
    };
  }

  async #go(watched: Watched, first: string | undefined, changed: () => void, signal: AbortSignal): Promise<void> {
    let last = first;
    let wake = Promise.withResolvers<void>();
    const pace = new Pace(() => wake.resolve());
    const detach = this.#listen(watched.hints(), () => pace.hint(), signal);
    signal.addEventListener("abort", () => {
      pace.stop();
      detach();
      wake.resolve();
    });
    let took = 0;
    while (!signal.aborted) {
      const timer = new AbortController();
      await Promise.race([
        wake.promise,
        sleep(Math.min(LONGEST_MS, Math.max(LOOK_MS, SHARE * took)), undefined, { ref: false, signal: timer.signal }).catch(() => {}),
      ]);
      timer.abort();
      wake = Promise.withResolvers<void>();
      if (signal.aborted) return;
      const from = performance.now();
      // What cannot be told now is told later.
      const now = await watched.look(signal).catch(() => undefined);
      took = performance.now() - from;
      if (signal.aborted) return;
      if (now === undefined || now === last) continue;
      last = now;
      changed();
    }
  }

  #listen(paths: readonly string[], hint: () => void, signal: AbortSignal): () => void {
    // Should no watch be had, the regular look remains.
    const opening = open(paths, hint, signal).catch(() => undefined);
    return () => {
      const closing = opening.then((close) => close?.()).catch(() => {});
      this.#closing.add(closing);
      void closing.then(() => this.#closing.delete(closing));
    };
  }

  async close(): Promise<void> {
    for (const stop of this.#open) stop.abort();
    this.#open.clear();
    await Promise.allSettled(this.#closing);
  }
}

async function open(paths: readonly string[], hint: () => void, signal: AbortSignal): Promise<(() => Promise<void>) | undefined> {
  // 10 ms, and most sessions never subscribe.
  const { FSWatcher } = await import("chokidar");
  if (signal.aborted) return undefined;
  const watcher = new FSWatcher({ ignoreInitial: true, persistent: false, followSymlinks: false, depth: 6, atomic: false });
  watcher.on("all", hint);
  watcher.on("error", () => {});
  watcher.add([...paths]);
  return () => watcher.close();
}
