// One request on its way: waiting for a process, running, and over, for whichever reason comes first.
import { DbError } from "../errors.ts";
import type { Answer, DatabaseProcess, Handlers } from "./database-process.ts";
import type { Asked } from "../protocol/requests.ts";

export interface Call {
  /** Whoever asks; the signal is not looked at before the request has run for a moment, as it costs something to make. */
  readonly asker: { readonly signal: AbortSignal };
  readonly timeoutMs: number;
  readonly progress?: ((done: number, total: number) => void) | undefined;
  /** Told each second how many it has run. */
  readonly elapsed?: ((seconds: number) => void) | undefined;
}

/** Requests are looked at so often, in milliseconds: cheaper than a timer and a listener for each. */
const TICK_MS = 10;
/** What runs for longer lets others go first. */
const LONG_MS = 200;
/** The clock goes on for so many ticks without requests. */
const IDLE_TICKS = 50;

const running = new Set<Run>();
let clock: NodeJS.Timeout | undefined;
let idle = 0;

function tick(): void {
  if (running.size === 0 && ++idle > IDLE_TICKS) {
    clearInterval(clock);
    clock = undefined;
  }
  const now = performance.now();
  for (const run of running) run.look(now);
}

export class Run implements Handlers {
  readonly asked: Asked;
  readonly began = performance.now();
  over = false;
  #seconds = 0;
  process: DatabaseProcess | undefined;
  readonly #call: Call;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;
  /** Called at each look while it runs. */
  readonly #looked: (run: Run, now: number) => void;
  /** Called once when it is over. */
  readonly #ended: (run: Run) => void;

  constructor(
    asked: Asked,
    call: Call,
    settle: { resolve: (answer: Answer) => void; reject: (error: unknown) => void },
    on: { looked: (run: Run, now: number) => void; ended: (run: Run) => void },
  ) {
    this.asked = asked;
    this.#call = call;
    this.#resolve = settle.resolve;
    this.#reject = settle.reject;
    this.#looked = on.looked;
    this.#ended = on.ended;
    running.add(this);
    idle = 0;
    clock ??= setInterval(tick, TICK_MS).unref();
  }

  /** `waitedMs`: how long others were served before it. */
  start(process: DatabaseProcess, waitedMs = 0): void {
    this.process = process;
    process.ask(waitedMs > 0 ? { ...this.asked, waitedMs } : this.asked, this);
  }

  done(answer: Answer): void {
    if (this.#finish()) this.#resolve(answer);
  }

  progress(done: number, total: number): void {
    // What was sent before it was stopped may come after that.
    if (!this.over) this.#call.progress?.(done, total);
  }

  look(now: number): void {
    const { asker, timeoutMs } = this.#call;
    if (asker.signal.aborted) this.#kill(asker.signal.reason);
    else if (now - this.began >= timeoutMs) this.#kill(this.#timedOut());
    else this.#goesOn(now);
  }

  #goesOn(now: number): void {
    this.#looked(this, now);
    if (now - Math.max(this.began, this.process?.ready ?? now) > LONG_MS) this.process?.giveWay();
    const seconds = Math.floor((now - this.began) / 1000);
    if (seconds > this.#seconds) this.#call.elapsed?.(seconds);
    this.#seconds = seconds;
  }

  failed(error: unknown): void {
    if (this.#finish()) this.#reject(error);
  }

  /** There is no other way to stop SQLite in the middle of a step. */
  #kill(why: unknown): void {
    this.process?.kill();
    this.failed(why);
  }

  #timedOut(): DbError {
    const changes = this.asked.op === "write" || this.asked.op === "transaction" || this.asked.op === "import";
    // Between the end of the change and our hearing of it there is a moment.
    const state = changes ? "The change is undone, unless it had just been completed" : "Nothing was changed";
    return new DbError("timeout", `Stopped after ${this.#call.timeoutMs} ms. ${state}. Ask for less, or give a larger timeout_ms`);
  }

  #finish(): boolean {
    if (this.over) return false;
    this.over = true;
    running.delete(this);
    this.#ended(this);
    return true;
  }
}
