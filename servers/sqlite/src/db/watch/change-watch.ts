// Watches a database for changes by any program: looks at the file often, and asks SQLite what changed where it was touched.
import { statSync } from "node:fs";
import type { VersionsReply } from "../protocol/schema-messages.ts";

export type WatchedPart = "data" | "schema";

export interface VersionSource {
  versions(caller: { readonly signal: AbortSignal }): Promise<VersionsReply>;
  /** The last listener was removed. */
  stopped(): Promise<void>;
}

const POLL_MS = 250;
/** SQLite is asked on every eighth poll even where the file looks untouched: some file systems have coarse times. */
const MAX_UNTOUCHED_POLLS = 8;

interface Listener {
  readonly part: WatchedPart;
  readonly changed: () => void;
}

export class ChangeWatch {
  readonly #file: string;
  readonly #source: VersionSource;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();
  #known: VersionsReply | undefined;
  #stamp = "";
  #untouchedPolls = 0;

  constructor(file: string, source: VersionSource) {
    this.#file = file;
    this.#source = source;
  }

  /** Resolves when every later change will be noticed. Returns a function that removes the listener. */
  async add(part: WatchedPart, changed: () => void): Promise<() => void> {
    const listener = { part, changed };
    if (this.#listeners.size === 0) this.#abort = new AbortController();
    this.#listeners.add(listener);
    try {
      if (this.#known === undefined) await this.#poll();
    } catch (error) {
      this.#remove(listener);
      throw error;
    }
    this.#schedulePoll();
    return () => this.#remove(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #remove(listener: Listener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#stop();
    void this.#source.stopped();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#known = undefined;
    this.#abort.abort(new Error("the watch was stopped"));
  }

  #schedulePoll(): void {
    if (this.#timer !== undefined || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => void this.#pollAndReschedule(), POLL_MS).unref();
  }

  async #pollAndReschedule(): Promise<void> {
    try {
      await this.#poll();
    } catch {
      // A database that cannot be read now may be back at the next poll.
    }
    this.#timer = undefined;
    this.#schedulePoll();
  }

  async #poll(): Promise<void> {
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp && this.#known !== undefined && ++this.#untouchedPolls < MAX_UNTOUCHED_POLLS) return;
    const { signal } = this.#abort;
    const versions = await this.#source.versions({ signal });
    if (signal.aborted) return;
    this.#untouchedPolls = 0;
    this.#stamp = stamp;
    const before = this.#known;
    this.#known = versions;
    if (before !== undefined) this.#notify(before, versions);
  }

  #notify(before: VersionsReply, now: VersionsReply): void {
    const schemaChanged = before.file !== now.file || before.schema !== now.schema;
    // Counts of two connections cannot be compared; the file was touched, so the data may have changed.
    const dataChanged = schemaChanged || before.data !== now.data || before.connection !== now.connection;
    for (const { part, changed } of this.#listeners) if (part === "schema" ? schemaChanged : dataChanged) changed();
  }
}

/** Differs whenever the file or its WAL was written to, up to the resolution of the file system's times. */
function stampOf(file: string): string {
  const stats = [file, `${file}-wal`].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats.map((stat) => (stat === undefined ? "" : `${stat.ino}:${stat.mtimeNs}:${stat.size}`)).join(" ");
}
