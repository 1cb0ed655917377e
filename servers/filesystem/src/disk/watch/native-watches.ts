// One chokidar watcher per real path, shared by everybody who watches that path, and gone with the last of them. It is only a
// hint giver: whoever is told looks through the door before saying anything.
import type { FSWatcher } from "chokidar";
import { withSeparator } from "../tree/directory-entries.ts";

/** Something happened to the path, or to the entry `child` of it. */
export type Hint = (child: string | undefined) => void;

interface Shared {
  readonly hints: Set<Hint>;
  readonly stop: AbortController;
}

export class NativeWatches {
  readonly #shared = new Map<string, Shared>();
  readonly #closing = new Set<Promise<void>>();

  /** Paths that are being watched. */
  get size(): number {
    return this.#shared.size;
  }

  /**
   * `isReal`: the path still is what it was when it was checked, and no link to elsewhere. Chokidar asks before it reads, because
   * it would follow a link put in the place of a watched folder.
   */
  attach(path: string, isReal: () => boolean, hint: Hint): () => void {
    // Chokidar takes a backslash for a slash everywhere: `ROOT/x\..\..\OUT`, one plain name, would be watched as OUT.
    if (process.platform !== "win32" && path.includes("\\")) return () => {};
    let shared = this.#shared.get(path);
    if (!shared) {
      shared = { hints: new Set(), stop: new AbortController() };
      this.#shared.set(path, shared);
      // Should chokidar not load, the regular look remains.
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

  /** Waits for what was detached to be gone. */
  async closed(): Promise<void> {
    await Promise.allSettled(this.#closing);
  }

  async #open(path: string, isReal: () => boolean, shared: Shared): Promise<void> {
    // 10 ms, and most sessions never subscribe.
    const { FSWatcher: Watcher } = await import("chokidar");
    if (shared.stop.signal.aborted) return;
    const below = withSeparator(path);
    const watcher: FSWatcher = new Watcher({
      ignoreInitial: true,
      persistent: false,
      followSymlinks: false,
      depth: 0,
      // Two events for one save are one notice anyway, and `atomic` would be blind to names such as `notes~`.
      atomic: false,
      ignored: (candidate) => (candidate === path ? !isReal() : !candidate.startsWith(below)),
    });
    watcher.on("all", (_event, changed) => {
      const child = changed === path ? undefined : changed;
      if (child === undefined || child.startsWith(below)) for (const hint of [...shared.hints]) hint(child);
    });
    // No watch to be had (the system's limit, a folder that cannot be read): the regular look remains.
    watcher.on("error", () => {});
    shared.stop.signal.addEventListener("abort", () => {
      const closing = watcher.close().catch(() => {});
      this.#closing.add(closing);
      void closing.then(() => this.#closing.delete(closing));
    });
    watcher.add(path);
  }
}
