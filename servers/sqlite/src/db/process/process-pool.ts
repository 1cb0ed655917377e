// The processes of one database: readers, more of them while queries run long, or the one writer. They are kept warm.
import { DbError } from "../errors.ts";
import { DatabaseProcess, type Answer, type ProcessOptions } from "./database-process.ts";
import { WORKED_MS } from "./resource-limits.ts";
import type { Asked } from "../protocol/requests.ts";
import { Run, type Call } from "./running-request.ts";

/** A reader that works for longer gets company, in milliseconds: a start takes about as long. */
const ALONE_MS = 35;
/** Readers beyond the first end when nobody needs them for so long, in milliseconds. */
const IDLE_MS = 15_000;

export class Pool {
  readonly #options: ProcessOptions;
  readonly #most: number;
  readonly #all = new Set<DatabaseProcess>();
  #idle: DatabaseProcess[] = [];
  readonly #waiting = new Set<Run>();
  readonly #worked = new WeakMap<DatabaseProcess, number>();
  #shrinking: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #on = { looked: (run: Run, now: number) => this.#company(now - run.began), ended: (run: Run) => this.#release(run) };

  /** `most`: processes at a time. */
  constructor(options: ProcessOptions, most: number) {
    this.#options = options;
    this.#most = most;
  }

  /** Runs one request; when it is cancelled or its time is over, the process that runs it is killed. */
  run(asked: Asked, call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new DbError("gone", "The server is ending");
      const run = new Run(asked, call, { resolve, reject }, this.#on);
      const process = this.#free();
      if (process === undefined) this.#waiting.add(run);
      else run.start(process);
    });
  }

  /** Ends all processes; those that work are given `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#shrinking);
    for (const run of this.#waiting) run.failed(new DbError("gone", "The server is ending"));
    const all = [...this.#all];
    for (const process of all) process.close();
    const timer = setTimeout(() => {
      for (const process of all) process.kill();
    }, graceMs);
    await Promise.all(all.map(({ gone }) => gone));
    clearTimeout(timer);
  }

  #free(): DatabaseProcess | undefined {
    for (let process = this.#idle.pop(); process !== undefined; process = this.#idle.pop()) if (!process.dead) return process;
    return this.#all.size < this.#most ? this.#start() : undefined;
  }

  #start(): DatabaseProcess {
    const process = new DatabaseProcess(this.#options);
    this.#all.add(process);
    void process.gone.then(() => {
      this.#all.delete(process);
      this.#idle = this.#idle.filter((one) => one !== process);
      this.#next();
    });
    return process;
  }

  #release(run: Run): void {
    const { process } = run;
    if (process === undefined) {
      this.#waiting.delete(run);
      return;
    }
    const worked = (this.#worked.get(process) ?? 0) + performance.now() - run.began;
    this.#worked.set(process, worked);
    if (process.gaveWay || worked > WORKED_MS) process.close();
    if (!process.dead) this.#idle.push(process);
    // The next one does not wait until the system has cleaned up; but for a writer, as it holds a lock until then.
    else if (!this.#options.write) this.#all.delete(process);
    this.#next();
  }

  #next(): void {
    if (this.#closed) return;
    const [first] = this.#waiting;
    if (first === undefined) return this.#shrinkLater();
    const process = this.#free();
    if (process === undefined) return;
    this.#waiting.delete(first);
    first.start(process, performance.now() - first.began);
  }

  /** While readers are busy for long, one more is made ready for who comes next. */
  #company(forMs: number): void {
    if (forMs < ALONE_MS) return;
    if (this.#idle.length === 0 && this.#all.size < this.#most && !this.#closed) this.#idle.push(this.#start());
  }

  #shrinkLater(): void {
    if (this.#all.size < 2 || this.#shrinking !== undefined) return;
    this.#shrinking = setTimeout(() => {
      this.#shrinking = undefined;
      for (const process of this.#idle.splice(0, Math.min(this.#idle.length, this.#all.size - 1))) process.close();
    }, IDLE_MS).unref();
  }
}
