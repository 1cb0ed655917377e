/** Load generator: a fixed number of acts per second, with their outcomes. */
import { setTimeout as sleep } from "node:timers/promises";
import { InterruptedError } from "@oarlock/client";

const KEPT_FAULTS = 20;

export class Pace {
  readonly done = new Map<string, number>();
  readonly faults: string[] = [];
  /** Requests whose connection broke. */
  interrupted = 0;
  /** While this holds, nothing is done that takes time to be tidied up, and it goes on until everything was done once. */
  warming = true;
  /** A client that is killed costs more than any request. */
  readonly killEveryMs: number;
  readonly #gapMs: number;
  readonly #due = new Set<string>();
  #until = 0;
  #next = 0;
  #turn = 0;

  constructor(actsPerSecond: number, killEveryMs: number) {
    this.killEveryMs = killEveryMs;
    this.#gapMs = 1000 / actsPerSecond;
  }

  begin(ms: number): void {
    this.#next = performance.now();
    this.#until = this.#next + ms;
  }

  get over(): boolean {
    return performance.now() >= this.#until && !(this.warming && this.#due.size > 0);
  }

  /** These will be done. */
  expect(names: readonly string[]): void {
    if (this.warming) for (const name of names) this.#due.add(name);
  }

  /** Waits for the next place; undefined when the time is over. */
  async place(): Promise<number | undefined> {
    const now = performance.now();
    // What could not be done in time is not made up for.
    this.#next = Math.max(this.#next + this.#gapMs, now);
    await this.rest(this.#next - now);
    return this.over ? undefined : this.#turn++;
  }

  /** Waits so long, or until the time is over. */
  async rest(ms: number): Promise<void> {
    const left = this.#until - performance.now();
    await sleep(Math.max(0, left > 0 ? Math.min(ms, left) : ms));
  }

  /** Does it, and notes whether it went as it should. */
  async act(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.done.set(name, (this.done.get(name) ?? 0) + 1);
    } catch (error) {
      if (error instanceof InterruptedError) this.interrupted++;
      else if (this.faults.length < KEPT_FAULTS) this.faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#due.delete(name);
  }
}

export type Lane = (pace: Pace) => Promise<void>;

export type Work<T> = (on: T, turn: number) => Promise<void>;
export type Works<T> = Readonly<Record<string, Work<T>>>;

/** One thing after the other on something that stays. `from`: where to begin, when others do the same. */
export function stay<T>(on: T, works: Works<T>, from = 0): Lane {
  const all = Object.entries(works);
  let at = from;
  return async (pace) => {
    pace.expect(Object.keys(works));
    for (let turn = await pace.place(); turn !== undefined; turn = await pace.place()) await actOf(pace, all, at++, on, turn);
  };
}

function actOf<T>(pace: Pace, all: readonly [string, Work<T>][], at: number, on: T, turn: number): Promise<void> {
  const [name, work] = all[at % all.length] ?? ["", async () => undefined];
  return pace.act(name, () => work(on, turn));
}

/** What is opened, used for a while, and left in one of several ways. */
export interface Visits<T> {
  name: string;
  open(): Promise<T>;
  works: Works<T>;
  leave(on: T, turn: number, warming: boolean): Promise<void>;
}

const WORKS_A_VISIT = 12;

export function visit<T>({ name, open, works, leave }: Visits<T>, from = 0): Lane {
  const all = Object.entries(works);
  let at = from;
  return async (pace) => {
    pace.expect(Object.keys(works));
    for (let began = await pace.place(); began !== undefined; began = await pace.place()) {
      const turn = began;
      await pace.act(name, async () => {
        const on = await open();
        try {
          for (let done = 0; done < WORKS_A_VISIT; done++) {
            const next = await pace.place();
            if (next === undefined) break;
            await actOf(pace, all, at++, on, next);
          }
        } finally {
          await leave(on, turn, pace.warming);
        }
      });
    }
  };
}
