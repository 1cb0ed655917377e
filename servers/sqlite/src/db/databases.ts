// The databases of a server by their names, each with its processes, which start when they are first needed.
import { DbError, refused, shown } from "./errors.ts";
import { nearest } from "./near-names.ts";
import type { Pool } from "./process/process-pool.ts";
import type { Answer } from "./process/database-process.ts";
import type { Asked } from "./protocol/requests.ts";
import type { Call } from "./process/running-request.ts";
import type { Versions, Watch } from "./watch/change-watch.ts";

export interface Served {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly write: boolean;
  /** Where there is no file, one is made when it is first needed. Default: it is told. */
  readonly make?: boolean;
}

export interface DatabasesOptions {
  /** The script that a database process runs. */
  readonly script: string;
  /** No statement runs longer, in milliseconds. */
  readonly longestMs: number;
}

/** Most reading processes of one database at a time. */
const MOST_READERS = 8;
/** How long a statement may run unless a call says otherwise, in milliseconds. */
const DEFAULT_MS = 30_000;
/** What works at the end of the server may go on for so long, in milliseconds. */
const GRACE_MS = 1000;

/** A process that ends so soon was killed while it was idle, rather than by what it was asked, in milliseconds: another one is asked. */
const AT_ONCE_MS = 250;

/** Who asks, and may cancel. */
export type Asker = Call["asker"];

export interface Ask {
  readonly timeoutMs?: number | undefined;
  readonly progress?: Call["progress"];
  /** Told each second how many it has run. */
  readonly elapsed?: Call["elapsed"];
}

export class Databases {
  readonly all: readonly Database[];

  constructor(served: readonly Served[], options: DatabasesOptions) {
    this.all = served.map((one) => new Database(one, options));
  }

  /** The one with this name; the only one when no name is given. */
  get(name: string | undefined): Database {
    const names = this.all.map((one) => one.name);
    if (name === undefined) {
      const [only, other] = this.all;
      if (only !== undefined && other === undefined) return only;
      throw refused(`There are several databases: give one of ${names.map(shown).join(", ")} as database`);
    }
    const found = this.all.find((one) => one.name === name);
    if (found !== undefined) return found;
    const [near] = nearest(name, names);
    throw new DbError(
      "not-found",
      `No database is called ${shown(name)}; ${near === undefined ? `there is ${names.map(shown).join(", ")}` : `did you mean ${shown(near)}?`}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((one) => one.close()));
  }
}

export class Database {
  readonly name: string;
  readonly file: string;
  readonly write: boolean;
  readonly #make: boolean;
  readonly #options: DatabasesOptions;
  #readers: Pool | undefined;
  #writer: Pool | undefined;
  #watcher: Pool | undefined;
  #watch: Watch | undefined;
  readonly #writingOut = new Set<Pool>();

  constructor({ name, file, write, make = false }: Served, options: DatabasesOptions) {
    this.name = name;
    this.file = file;
    this.write = write;
    this.#make = make;
    this.#options = options;
  }

  /** Asks a process that cannot write. */
  async read(asked: Asked, asker: Asker, ask?: Ask): Promise<Answer> {
    const call = this.#call(asker, ask);
    this.#readers ??= await this.#pool(false);
    const from = performance.now();
    for (let recovered = false; ;) {
      try {
        return await this.#readers.run(asked, call);
      } catch (error) {
        if (!(error instanceof DbError)) throw error;
        if (error.code === "ended" && performance.now() - from < AT_ONCE_MS) continue;
        if (error.code !== "recover" || !this.write || recovered) throw error;
        // A program was killed in the middle of a change, or there is no file yet: the first connection that may write sets that right.
        await this.change({ op: "recover" }, asker);
        recovered = true;
      }
    }
  }

  /** Asks the one process that may write. */
  async change(asked: Asked, asker: Asker, ask?: Ask): Promise<Answer> {
    if (!this.write)
      throw new DbError(
        "read-only",
        `The database ${shown(this.name)} is served for reading only; the operator allows writing with --read-write`,
      );
    this.#writer ??= await this.#pool(true);
    return await this.#writer.run(asked, this.#call(asker, ask));
  }

  /** Asks a process of its own for one long piece of work that reads, and writes to another file. */
  async writeOut(asked: Asked, asker: Asker, ask?: Ask): Promise<Answer> {
    const pool = await this.#pool(false, 1, true);
    this.#writingOut.add(pool);
    try {
      return await pool.run(asked, this.#call(asker, ask));
    } finally {
      this.#writingOut.delete(pool);
      await pool.close(GRACE_MS);
    }
  }

  /** Calls `changed` when the data, or only when the schema, has changed, whoever changed it; until stopped. */
  async watch(what: "data" | "schema", changed: () => void): Promise<() => void> {
    if (this.#watch === undefined) {
      const { Watch } = await import("./watch/change-watch.ts");
      this.#watch ??= new Watch(this.file, { versions: (asker) => this.#versions(asker), idle: this.#unwatched });
    }
    return await this.#watch.add(what, changed);
  }

  /** From one process at all times, as SQLite counts the changes of others for each connection. */
  async #versions(asker: Asker): Promise<Versions> {
    this.#watcher ??= await this.#pool(false, 1);
    const { done } = await this.#watcher.run({ op: "versions" }, this.#call(asker));
    return done as Versions; // our own process told it
  }

  /** Nobody listens any more. */
  readonly #unwatched = async (): Promise<void> => {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    await watcher?.close(GRACE_MS);
  };

  async close(): Promise<void> {
    this.#watch?.close();
    const pools = [this.#readers, this.#writer, this.#watcher, ...this.#writingOut].filter((pool) => pool !== undefined);
    await Promise.all(pools.map((pool) => pool.close(GRACE_MS)));
  }

  async #pool(write: boolean, most = write ? 1 : MOST_READERS, largeFiles = write): Promise<Pool> {
    const { Pool } = await import("./process/process-pool.ts");
    return new Pool({ ...this.#options, file: this.file, label: this.name, write, make: write && this.#make, largeFiles }, most);
  }

  #call(asker: Asker, { timeoutMs = DEFAULT_MS, progress, elapsed }: Ask = {}): Call {
    return { asker, timeoutMs: Math.min(timeoutMs, this.#options.longestMs), progress, elapsed };
  }
}
