// Watches a database while somebody listens: the file is looked at, and when it was touched, SQLite is asked what changed.
import { statSync } from "node:fs";

export interface Versions {
  /** Changes when another connection has changed the data. */
  readonly data: number;
  readonly schema: number;
  /** Which connection tells: the counts of two cannot be compared. */
  readonly connection: number;
  /** Which file it is about: another one with the same name is another database. */
  readonly file: number;
}

interface Source {
  versions(asker: { readonly signal: AbortSignal }): Promise<Versions>;
  /** Nobody listens any more. */
  idle(): Promise<void>;
}

/** How often the file is looked at, in milliseconds. */
const EVERY_MS = 250;
/** A change that left no trace on the file is found so often nevertheless: times of some file systems are coarse. */
const SURE_AFTER = 8;

interface Listener {
  readonly what: "data" | "schema";
  readonly changed: () => void;
}

export class Watch {
  readonly #file: string;
  readonly #source: Source;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #ended = new AbortController();
  #known: Versions | undefined;
  #stamp = "";
  #quiet = 0;

  constructor(file: string, source: Source) {
    this.#file = file;
    this.#source = source;
  }

  /** Changes from now on are told. */
  async add(what: Listener["what"], changed: () => void): Promise<() => void> {
    const listener = { what, changed };
    if (this.#listeners.size === 0) this.#ended = new AbortController();
    this.#listeners.add(listener);
    try {
      if (this.#known === undefined) await this.#look();
    } catch (error) {
      this.#remove(listener);
      throw error;
    }
    this.#next();
    return () => this.#remove(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #remove(listener: Listener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#stop();
    void this.#source.idle();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#known = undefined;
    this.#ended.abort(new Error("nobody listens any more"));
  }

  #next(): void {
    if (this.#timer !== undefined || this.#listeners.size === 0) return;
    this.#timer = setTimeout(() => {
      // A database that cannot be read now may be there again the next time.
      void this.#look()
        .catch(() => undefined)
        .finally(() => {
          this.#timer = undefined;
          this.#next();
        });
    }, EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp && this.#known !== undefined && ++this.#quiet < SURE_AFTER) return;
    const { signal } = this.#ended;
    const now = await this.#source.versions({ signal });
    if (signal.aborted) return;
    this.#quiet = 0;
    this.#stamp = stamp;
    const before = this.#known;
    this.#known = now;
    if (before === undefined) return;
    const schema = before.file !== now.file || before.schema !== now.schema;
    // Another connection than before cannot tell; the file was touched.
    const data = schema || before.data !== now.data || before.connection !== now.connection;
    for (const { what, changed } of this.#listeners) if (what === "schema" ? schema : data) changed();
  }
}

const stampOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? "" : `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
    })
    .join(" ");
