// The processes of one database for one purpose: up to eight readers, or the one writer. They are kept for the next request.
import { FairQueue, tracedWork } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import { DbError } from "../errors.ts";
import type { DbRequest } from "../protocol/operations.ts";
import { DatabaseProcess, type ProcessOptions } from "./database-process.ts";
import type { MemoryWatch } from "./memory-watch.ts";
import { MAX_WORK_MS } from "./resource-limits.ts";
import { RunningRequest, type Answer, type CallOptions, type RequestOwner } from "./running-request.ts";

/** While a process works on a request for longer than this, one more is started for the next request. A start takes about as long. */
const SPARE_AFTER_MS = 35;
/** Processes that one person leaves to others, where there are so many. */
const LEFT_TO_OTHERS = 2;
/** Idle processes beyond those that are kept are closed after this time. */
const IDLE_MS = 15_000;

/** On Windows none is kept: while one has the file open, no program can replace or delete it (winOpen in SQLite's os_win.c). */
export const keptProcesses = (system: NodeJS.Platform = platform): number => (system === "win32" ? 0 : 1);

/** How long the rollback of an interrupted change may take, and how long while the server shuts down. */
const MAX_ROLLBACK_MS = 15_000;
const CLOSING_ROLLBACK_MS = 2000;

const shuttingDown = (): DbError => new DbError("closed", "The server is shutting down.");

export class ProcessPool implements RequestOwner {
  readonly #options: ProcessOptions;
  readonly #maxProcesses: number;
  readonly #memory: MemoryWatch | undefined;
  readonly #processes = new Set<DatabaseProcess>();
  #idle: DatabaseProcess[] = [];
  readonly #queue: FairQueue<RunningRequest>;
  readonly #workedMs = new WeakMap<DatabaseProcess, number>();
  #shrinkTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #kept: number;

  /**
   * @param memory The limit on the memory of processes that read. Undefined for those that write.
   * @param kept How many processes stay while there is nothing to do.
   */
  constructor(options: ProcessOptions, maxProcesses: number, memory: MemoryWatch | undefined, kept = keptProcesses()) {
    this.#options = options;
    this.#maxProcesses = maxProcesses;
    this.#queue = new FairQueue(Math.max(1, maxProcesses - LEFT_TO_OTHERS));
    this.#memory = memory;
    this.#kept = kept;
  }

  /** A process has the file open, or opens it. */
  get hasProcess(): boolean {
    return this.#processes.size > 0;
  }

  /** Starts a process before the first request needs it. */
  startEarly(): void {
    if (this.#isClosed || this.#processes.size > 0) return;
    this.#idle.push(this.#startProcess());
    this.#scheduleShrink();
  }

  /** Runs one request. At its time limit, or when the caller aborts, its process is killed. */
  async run<Request extends DbRequest>(request: Request, options: CallOptions): Promise<Answer<Request>> {
    const attributes = { "db.system.name": "sqlite", "db.operation.name": request.op };
    return await tracedWork({ name: `sqlite ${request.op}`, isRemote: true, attributes }, () => this.#run(request, options));
  }

  async #run<Request extends DbRequest>(request: Request, options: CallOptions): Promise<Answer<Request>> {
    if (this.#isClosed) throw shuttingDown();
    const running = new RunningRequest(request, options, this);
    this.#queue.add(running);
    this.#startNext();
    return (await running.answer) as Answer<Request>; // the reply to this request
  }

  /** Ends all processes. Running requests may continue for `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#shrinkTimer);
    for (const request of this.#queue.waiting) request.fail(shuttingDown());
    const processes = [...this.#processes];
    for (const process of processes) process.close();
    const timer = setTimeout(() => {
      for (const process of processes) process.kill();
    }, graceMs);
    await Promise.all(processes.map(({ ended }) => ended));
    clearTimeout(timer);
    if (this.#options.write && processes.some(({ wasInterrupted }) => wasInterrupted)) await this.#rollBackInterrupted();
  }

  onTick(_request: RunningRequest, workedMs: number): void {
    const needsSpare = workedMs >= SPARE_AFTER_MS && this.#idle.length === 0 && this.#processes.size < this.#maxProcesses;
    if (needsSpare && !this.#isClosed) this.#idle.push(this.#startProcess());
    if (workedMs >= SPARE_AFTER_MS) this.#memory?.check(performance.now());
  }

  onEnd(request: RunningRequest): void {
    const { process } = request;
    this.#queue.remove(request);
    if (process === undefined) return;
    const workedMs = (this.#workedMs.get(process) ?? 0) + performance.now() - request.startedAt;
    this.#workedMs.set(process, workedMs);
    if (process.hasLowPriority || workedMs > MAX_WORK_MS) process.close();
    if (!process.isClosed) this.#idle.push(process);
    // A killed reader is replaced before the system has cleaned up. A killed writer holds its lock until then.
    else if (!this.#options.write) this.#processes.delete(process);
    this.#startNext();
  }

  #freeProcess(): DatabaseProcess | undefined {
    for (let process = this.#idle.pop(); process !== undefined; process = this.#idle.pop()) if (!process.isClosed) return process;
    return this.#processes.size < this.#maxProcesses ? this.#startProcess() : undefined;
  }

  #startProcess(): DatabaseProcess {
    const process = new DatabaseProcess(this.#options);
    this.#processes.add(process);
    this.#memory?.add(process);
    void process.ended.then(() => {
      this.#processes.delete(process);
      this.#idle = this.#idle.filter((one) => one !== process);
      if (this.#options.write && process.wasInterrupted && !this.#isClosed) void this.#rollBackInterrupted();
      this.#startNext();
    });
    return process;
  }

  /** Rolls back what an interrupted change left in the journal. Until then no connection that only reads can use the database. */
  async #rollBackInterrupted(): Promise<void> {
    const process = new DatabaseProcess(this.#options);
    const { promise, resolve } = Promise.withResolvers<void>();
    process.send({ op: "recover" }, { reply: () => resolve(), fail: () => resolve(), progress: () => undefined });
    // Another program may hold a lock; the next change then rolls back.
    const timer = setTimeout(() => process.kill(), this.#isClosed ? CLOSING_ROLLBACK_MS : MAX_ROLLBACK_MS);
    await promise;
    process.close();
    await process.ended;
    clearTimeout(timer);
  }

  #startNext(): void {
    if (this.#isClosed) return;
    const next = this.#queue.next();
    if (next === undefined) return this.#scheduleShrink();
    const process = this.#freeProcess();
    if (process === undefined) return;
    this.#queue.start(next);
    next.start(process, Math.floor(performance.now() - next.startedAt));
  }

  #scheduleShrink(): void {
    if (this.#processes.size <= this.#kept || this.#shrinkTimer !== undefined) return;
    this.#shrinkTimer = setTimeout(() => {
      this.#shrinkTimer = undefined;
      for (const process of this.#idle.splice(0, Math.min(this.#idle.length, this.#processes.size - this.#kept))) process.close();
    }, IDLE_MS).unref();
  }
}
