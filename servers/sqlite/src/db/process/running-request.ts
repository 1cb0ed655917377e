// One request from its start in the queue to its reply, error, time limit or abort, whichever comes first.
import { actingPerson, type PersonalWork } from "@oarlock/domain-kit";
import { DbError } from "../errors.ts";
import type { DbRequest, ReplyTo } from "../protocol/operations.ts";
import type { EncodedRows } from "../protocol/rows.ts";
import type { DatabaseProcess, ReplyHandlers } from "./database-process.ts";

export interface CallOptions {
  /** The caller. Its signal is read on the first tick, because making one takes time that short requests do not have. */
  readonly caller: { readonly signal: AbortSignal };
  readonly timeoutMs: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called each second with the seconds that the request has run. */
  readonly onElapsed?: ((seconds: number) => void) | undefined;
}

export interface Answer<Request extends DbRequest = DbRequest> {
  readonly reply: ReplyTo<Request>;
  readonly rows: EncodedRows;
}

/** The pool that runs the request. */
export interface RequestOwner {
  /** Called on each tick while the request runs. `workedMs`: how long its process, once it was ready, has worked on it. */
  onTick(request: RunningRequest, workedMs: number): void;
  /** Called once, before the caller has the answer. */
  onEnd(request: RunningRequest): void;
}

/** A read waits for a process for half of its time, where that is at least so long; else until its limit. */
const MIN_WAIT_MS = 5000;
/** A reader that works for longer lets other processes go first. */
const LONG_MS = 200;

export class RunningRequest implements ReplyHandlers, PersonalWork {
  readonly request: DbRequest;
  readonly startedAt = performance.now();
  readonly answer: Promise<Answer>;
  readonly person = actingPerson();
  process: DatabaseProcess | undefined;
  readonly #options: CallOptions;
  readonly #owner: RequestOwner;
  readonly #settle: PromiseWithResolvers<Answer> = Promise.withResolvers();
  #hasEnded = false;
  #seconds = 0;

  constructor(request: DbRequest, options: CallOptions, owner: RequestOwner) {
    this.request = request;
    this.answer = this.#settle.promise;
    this.#options = options;
    this.#owner = owner;
    addToClock(this);
  }

  /** @param queuedMs How long the request has waited for a process. */
  start(process: DatabaseProcess, queuedMs = 0): void {
    this.process = process;
    process.send(queuedMs > 0 ? { ...this.request, queuedMs } : this.request, this);
  }

  reply(reply: unknown, rows: EncodedRows): void {
    if (this.#end()) this.#settle.resolve({ reply: reply as Answer["reply"], rows }); // the handler of this request made it
  }

  fail(error: unknown): void {
    if (this.#end()) this.#settle.reject(error);
  }

  /** Progress that a process sent before it was stopped may arrive later, and is dropped. */
  progress(done: number, total: number): void {
    if (!this.#hasEnded) this.#options.onProgress?.(done, total);
  }

  tick(now: number): void {
    const { caller, timeoutMs } = this.#options;
    const runningMs = now - this.startedAt;
    if (caller.signal.aborted) return this.#kill(caller.signal.reason);
    if (runningMs >= timeoutMs) return this.#kill(this.#timeoutError());
    const waitMs = timeoutMs / 2;
    if (this.process === undefined && !this.#mayChange && waitMs >= MIN_WAIT_MS && runningMs >= waitMs)
      return this.fail(noFreeProcess(waitMs));
    const workedMs = now - Math.max(this.startedAt, this.process?.readyAt ?? now);
    this.#owner.onTick(this, workedMs);
    if (workedMs > LONG_MS) this.process?.lowerPriority();
    const seconds = Math.floor(runningMs / 1000);
    if (seconds > this.#seconds) this.#options.onElapsed?.(seconds);
    this.#seconds = seconds;
  }

  #kill(reason: unknown): void {
    this.process?.kill();
    this.fail(reason);
  }

  get #mayChange(): boolean {
    return ["write", "transaction", "import"].includes(this.request.op);
  }

  #timeoutError(): DbError {
    // The reply of a completed change may be on its way.
    const state = this.#mayChange ? " The change is rolled back, unless it had just been completed." : "";
    return new DbError("timeout", `Stopped after ${this.#options.timeoutMs} ms.${state} Ask for less, or pass a larger timeout_ms.`);
  }

  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    removeFromClock(this);
    this.#owner.onEnd(this);
    return true;
  }
}

/** One that begins with little time left would be stopped at once, and cost the start of a process. */
const noFreeProcess = (ms: number): DbError =>
  new DbError("busy", `Not run: in ${ms} ms no process was free, because too many queries run. Try again, or run fewer at the same time.`);

// One clock for all running requests. It serves their time limits, abort signals, priorities and progress, which would otherwise be four
// timers and a listener for each request of some 60 µs.
const TICK_MS = 10;
const IDLE_TICKS_BEFORE_STOP = 50;

const active = new Set<RunningRequest>();
let clock: NodeJS.Timeout | undefined;
let idleTicks = 0;

function addToClock(request: RunningRequest): void {
  active.add(request);
  idleTicks = 0;
  clock ??= setInterval(tickAll, TICK_MS).unref();
}

function removeFromClock(request: RunningRequest): void {
  active.delete(request);
}

function tickAll(): void {
  if (active.size === 0 && ++idleTicks > IDLE_TICKS_BEFORE_STOP) {
    clearInterval(clock);
    clock = undefined;
  }
  const now = performance.now();
  // Those that wait come first: one that is over must not take the process of another that ends.
  for (const request of active) if (request.process === undefined) request.tick(now);
  for (const request of active) request.tick(now);
}
