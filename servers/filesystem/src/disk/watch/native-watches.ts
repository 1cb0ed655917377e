// Watches of the operating system: one chokidar watcher for each real path, shared by its subscriptions and closed with the last one. Its
// events are only hints: a subscription checks the path through the sandbox before it notifies.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { FSWatcher } from "chokidar";
import { ignoreEvent, type LogEvent } from "../log-event.ts";
import { nativePaths, withSeparator, type PathRules } from "../access/path-syntax.ts";

/** An event on the path, or on its entry `child`. */
export type Hint = (child: string | undefined) => void;

interface Shared {
  readonly hints: Set<Hint>;
  readonly stop: AbortController;
  /** Chokidar has read the path: it reports every change from now on. */
  isEstablished: boolean;
}

/** Whether chokidar leaves out a path: all but the watched one and what is in it. On Windows it asks with slashes. */
export function isIgnored(candidate: string, watched: string, isReal: () => boolean, rules: PathRules = nativePaths): boolean {
  const path = rules.windows ? candidate.replaceAll("/", "\\") : candidate;
  return path === watched ? !isReal() : !path.startsWith(withSeparator(watched, rules));
}

export class NativeWatches {
  readonly #shared = new Map<string, Shared>();
  readonly #closing = new Set<Promise<void>>();
  readonly #event: LogEvent;
  #hasFailed = false;

  constructor(event: LogEvent = ignoreEvent) {
    this.#event = event;
  }

  /** The number of paths whose watch is established. */
  get size(): number {
    return [...this.#shared.values()].filter(({ isEstablished }) => isEstablished).length;
  }

  /**
   * `isReal`: the path still is what it was when it was checked, and no link to elsewhere. Chokidar checks before it reads, because
   * it would follow a link put in the place of a watched folder.
   */
  attach(path: string, isReal: () => boolean, hint: Hint): () => void {
    // Chokidar reads a backslash as a slash on every system: `ROOT/x\..\..\OUT`, one plain name, would be watched as OUT.
    if (!nativePaths.windows && path.includes("\\")) return () => {};
    let shared = this.#shared.get(path);
    if (!shared) {
      shared = { hints: new Set(), stop: new AbortController(), isEstablished: false };
      this.#shared.set(path, shared);
      // Without chokidar the regular check remains.
      this.#open(path, isReal, shared).catch(() => {});
    }
    const own = shared;
    own.hints.add(hint);
    return () => {
      if (!own.hints.delete(hint) || own.hints.size > 0) return;
      if (this.#shared.get(path) === own) this.#shared.delete(path);
      own.stop.abort();
    };
  }

  /** Waits until closed watchers have released their resources. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.#closing);
  }

  async #open(path: string, isReal: () => boolean, shared: Shared): Promise<void> {
    // Loaded on first use: 10 ms, and most sessions never subscribe.
    const { FSWatcher: Watcher } = await import("chokidar");
    if (shared.stop.signal.aborted) return;
    const below = withSeparator(path);
    const watcher: FSWatcher = new Watcher({
      ignoreInitial: true,
      persistent: false,
      followSymlinks: false,
      depth: 0,
      // The throttle merges two events of one save, and `atomic` would ignore names such as `notes~`.
      atomic: false,
      ignored: (candidate) => isIgnored(candidate, path, isReal),
    });
    watcher.on("ready", () => (shared.isEstablished = true));
    watcher.on("all", (_event, changed) => {
      const child = changed === path ? undefined : changed;
      if (child === undefined || child.startsWith(below)) for (const hint of [...shared.hints]) hint(child);
    });
    // The limit of the system is reached, or the folder is not readable: the regular check remains.
    watcher.on("error", (error) => {
      if (!this.#hasFailed)
        this.#event(
          "warning",
          `Watching failed (${systemErrorCode(error) ?? "unknown reason"}): changes are found by a check each second.`,
        );
      this.#hasFailed = true;
    });
    shared.stop.signal.addEventListener("abort", () => {
      const closing = watcher.close().catch(() => {});
      this.#closing.add(closing);
      void closing.then(() => this.#closing.delete(closing));
    });
    watcher.add(path);
  }
}
