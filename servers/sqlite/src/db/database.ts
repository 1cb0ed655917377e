// One database: its readers, its writer and its watch. Processes start when they are first needed.
import { areChangesReported, clip, reportChange } from "@oarlock/domain-kit";
import { DbError } from "./errors.ts";
import { LostContentCheck } from "./lost-content.ts";
import type { MemoryWatch } from "./process/memory-watch.ts";
import type { ProcessPool } from "./process/process-pool.ts";
import type { Answer, CallOptions } from "./process/running-request.ts";
import type { DbRequest, ReportedChanges } from "./protocol/operations.ts";
import type { VersionsReply } from "./protocol/schema-messages.ts";
import { StaleLogCheck, staleLogError } from "./stale-log.ts";
import type { ChangeWatch, WatchedPart } from "./watch/change-watch.ts";

export interface DatabaseSpec {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly write: boolean;
  /** Creates the file on first use if there is none. Default false: that is an error. */
  readonly create?: boolean;
}

export interface DatabaseLimits {
  /** The script of a database process. */
  readonly script: string;
  /** The longest time limit that a call may ask for, in milliseconds. */
  readonly maxTimeoutMs: number;
  /** Files of other owners are refused. Default false. */
  readonly lockdown?: boolean;
  /** Called each time that a call finds the file damaged. */
  readonly onDamage?: ((file: string) => void) | undefined;
}

/** What all databases of a server share. */
export interface SharedLimits extends DatabaseLimits {
  /** The limit on the memory of all reading processes together, once there are any. */
  memory(): Promise<MemoryWatch>;
}

/** Whoever makes a call, and may abort it. */
export type Caller = CallOptions["caller"];

export interface RequestOptions extends Pick<CallOptions, "onProgress" | "onElapsed"> {
  /** Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
}

const MAX_READERS = 8;
const DEFAULT_TIMEOUT_MS = 30_000;
/** How long running requests may continue when the server shuts down. */
const CLOSE_GRACE_MS = 500;
/** A process that ends this soon was killed while it was idle, not by the request, which is then sent to another process. */
const KILLED_IDLE_MS = 250;

export class Database {
  readonly name: string;
  readonly file: string;
  readonly write: boolean;
  readonly #create: boolean;
  readonly #limits: SharedLimits;
  #readers: Promise<ProcessPool> | undefined;
  #writer: Promise<ProcessPool> | undefined;
  #watcher: Promise<ProcessPool> | undefined;
  #watch: ChangeWatch | undefined;
  #isClosed = false;
  readonly #fileWriters = new Set<ProcessPool>();
  readonly #staleLog: StaleLogCheck;
  readonly #lostContent: LostContentCheck;

  constructor({ name, file, write, create = false }: DatabaseSpec, limits: SharedLimits) {
    this.name = name;
    this.file = file;
    this.write = write;
    this.#create = create;
    this.#limits = limits;
    this.#staleLog = new StaleLogCheck(file);
    this.#lostContent = new LostContentCheck({ name, file, create });
  }

  /** Sends a request to a process that cannot write to the database. */
  async read<Request extends DbRequest>(request: Request, caller: Caller, options?: RequestOptions): Promise<Answer<Request>> {
    const callOptions = this.#callOptions(caller, options);
    this.#lostContent.check();
    await this.#leaveStaleLog(caller);
    const readers = await this.#startReaders();
    const startedAt = performance.now();
    for (let hasRecovered = false; ;) {
      try {
        return await this.#run(readers, request, callOptions);
      } catch (error) {
        if (!(error instanceof DbError)) throw error;
        if (error.code === "would-change") throw this.#withWayToChange(error);
        if (error.code === "crashed" && performance.now() - startedAt < KILLED_IDLE_MS) continue;
        if (error.code !== "needs-recovery" || !this.write || hasRecovered) throw error;
        // A program was killed during a change, or there is no file yet: a connection that may write sets that right.
        await this.change({ op: "recover" }, caller);
        hasRecovered = true;
      }
    }
  }

  /** Sends a request to the one process that may write to the database. */
  async change<Request extends DbRequest>(request: Request, caller: Caller, options?: RequestOptions): Promise<Answer<Request>> {
    if (!this.write) throw new DbError("read-only", this.#readOnlySentence());
    this.#lostContent.check();
    this.#writer ??= this.#startPool({ write: true, maxProcesses: 1 });
    const writer = await this.#writer;
    // Only a process that still has the old file open can write the log back into it.
    if (!writer.hasProcess && this.#staleLog.check() === "stale") throw staleLogError(this.name);
    const callOptions = this.#callOptions(caller, options);
    if (!areChangesReported()) return await this.#run(writer, request, callOptions);
    return this.#reportingChanges(request, await this.#run(writer, { ...request, reportsChanges: true }, callOptions));
  }

  /** A dry run changes nothing, and neither does a change that has to be confirmed first. */
  #reportingChanges<Request extends DbRequest>(request: Request, { reply: whole, ...answer }: Answer<Request>): Answer<Request> {
    const { changed = [], ...reply } = whole as Answer<Request>["reply"] & ReportedChanges; // as was asked
    const isKept = !("dryRun" in request && request.dryRun) && !("confirmation" in reply);
    if (isKept && changed.length > 0) reportChange([this.name, ...changed]);
    return { ...answer, reply };
  }

  #readOnlySentence(): string {
    return `The database ${clip(this.name)} is read-only: changes are not allowed. The operator can start the server with --read-write, and without --read-only.`;
  }

  /** The process that refused the statement does not know whether changes are allowed here. */
  #withWayToChange({ message }: DbError): DbError {
    return new DbError("refused", `${message} ${this.write ? "Use write_query to change data." : this.#readOnlySentence()}`);
  }

  /** Sends a request that reads the database and writes another file, to a process of its own. */
  async writeFile<Request extends DbRequest>(request: Request, caller: Caller, options?: RequestOptions): Promise<Answer<Request>> {
    await this.#leaveStaleLog(caller);
    const pool = await this.#startPool({ write: false, maxProcesses: 1, writesLargeFiles: true });
    this.#fileWriters.add(pool);
    try {
      return await this.#run(pool, request, this.#callOptions(caller, options));
    } catch (error) {
      throw error instanceof DbError && error.code === "would-change" ? this.#withWayToChange(error) : error;
    } finally {
      this.#fileWriters.delete(pool);
      await pool.close(CLOSE_GRACE_MS);
    }
  }

  /** Calls `changed` after each change of the data or the schema by any program. Returns a function that stops the watch. */
  async watch(part: WatchedPart, changed: () => void): Promise<() => void> {
    if (this.#watch === undefined) {
      const { ChangeWatch } = await import("./watch/change-watch.ts");
      this.#watch ??= new ChangeWatch(this.file, {
        versions: (caller) => this.#versions(caller),
        stopped: () => this.#closeWatcher(),
      });
    }
    return await this.#watch.add(part, changed);
  }

  /** Always from the same process: SQLite counts the changes of others for each connection. */
  async #versions(caller: Caller): Promise<VersionsReply> {
    await this.#leaveStaleLog(caller);
    this.#watcher ??= this.#startPool({ write: false, maxProcesses: 1 });
    const watcher = await this.#watcher;
    const { reply } = await watcher.run({ op: "versions" }, this.#callOptions(caller));
    return reply;
  }

  /** Before another process opens a file that was put in place of the old one, the writer leaves the log of the old one. */
  async #leaveStaleLog(caller: Caller): Promise<void> {
    const state = this.#staleLog.check();
    if (state === "valid") return;
    const writer = await this.#writer;
    if (writer?.hasProcess === true) await this.change({ op: "recover" }, caller);
    else if (state === "stale") throw staleLogError(this.name);
    this.#staleLog.accept();
  }

  async #closeWatcher(): Promise<void> {
    const started = this.#watcher;
    this.#watcher = undefined;
    const watcher = await started;
    await watcher?.close(CLOSE_GRACE_MS);
  }

  /** Starts one reader before the first request needs it; none where that was a change, which may be the only request. */
  async startEarly(): Promise<void> {
    if (this.#isClosed || this.#writer !== undefined || this.#staleLog.check() === "stale") return;
    const readers = await this.#startReaders();
    readers.startEarly();
  }

  #startReaders(): Promise<ProcessPool> {
    return (this.#readers ??= this.#startPool({ write: false, maxProcesses: MAX_READERS }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch?.close();
    const started = [this.#readers, this.#writer, this.#watcher].filter((pool) => pool !== undefined);
    const pools = [...(await Promise.all(started)), ...this.#fileWriters];
    await Promise.all(pools.map((pool) => pool.close(CLOSE_GRACE_MS)));
  }

  async #startPool({ write, maxProcesses, writesLargeFiles = write }: PoolSpec): Promise<ProcessPool> {
    const { ProcessPool } = await import("./process/process-pool.ts");
    const create = write && this.#create;
    const { script, maxTimeoutMs, lockdown = false, memory } = this.#limits;
    const options = { script, maxTimeoutMs, file: this.file, label: this.name, write, create, lockdown, writesLargeFiles };
    const pool = new ProcessPool(options, maxProcesses, write ? undefined : await memory());
    // A call that came in before the end gets here after it: no process may start then.
    if (this.#isClosed) await pool.close(0);
    return pool;
  }

  /** The operator learns of damage besides the caller. */
  async #run<Request extends DbRequest>(pool: ProcessPool, request: Request, options: CallOptions): Promise<Answer<Request>> {
    try {
      return await pool.run(request, options);
    } catch (error) {
      if (error instanceof DbError && error.code === "damaged") this.#limits.onDamage?.(this.file);
      throw error;
    }
  }

  #callOptions(caller: Caller, { timeoutMs = DEFAULT_TIMEOUT_MS, onProgress, onElapsed }: RequestOptions = {}): CallOptions {
    return { caller, timeoutMs: Math.min(timeoutMs, this.#limits.maxTimeoutMs), onProgress, onElapsed };
  }
}

interface PoolSpec {
  readonly write: boolean;
  readonly maxProcesses: number;
  readonly writesLargeFiles?: boolean;
}
