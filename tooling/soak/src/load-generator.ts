/** Load generator: a fixed number of acts per second, with their outcomes. */
import { setTimeout as sleep } from "node:timers/promises";
import { InterruptedError } from "@oarlock/client";

const KEPT_FAULTS = 20;

export class LoadGenerator {
  readonly done = new Map<string, number>();
  readonly faults: string[] = [];
  interrupted = 0;
  /** During warm-up, acts whose cleanup takes time are skipped, and the load continues until every other act ran once. */
  warming = true;
  /** Interval between killed clients, which cost more than any request. */
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

  get isFinished(): boolean {
    return performance.now() >= this.#until && !(this.warming && this.#due.size > 0);
  }

  /** Names of acts that the lanes will run. */
  expect(names: readonly string[]): void {
    if (this.warming) for (const name of names) this.#due.add(name);
  }

  /** Waits for the next slot; undefined when the time is over. */
  async nextSlot(): Promise<number | undefined> {
    const now = performance.now();
    // Missed slots are not made up for.
    this.#next = Math.max(this.#next + this.#gapMs, now);
    await this.rest(this.#next - now);
    return this.isFinished ? undefined : this.#turn++;
  }

  /** Waits for `ms`, or until the time is over. */
  async rest(ms: number): Promise<void> {
    const left = this.#until - performance.now();
    await sleep(Math.max(0, left > 0 ? Math.min(ms, left) : ms));
  }

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

export type Lane = (load: LoadGenerator) => Promise<void>;

export type Work<T> = (on: T, turn: number) => Promise<void>;
export type Works<T> = Readonly<Record<string, Work<T>>>;

/** Runs works in turn on one client. `from`: index of the first work, for several lanes with the same works. */
export function stay<T>(on: T, works: Works<T>, from = 0): Lane {
  const all = Object.entries(works);
  let at = from;
  return async (load) => {
    load.expect(Object.keys(works));
    for (let turn = await load.nextSlot(); turn !== undefined; turn = await load.nextSlot()) await actOf(load, all, at++, on, turn);
  };
}

function actOf<T>(load: LoadGenerator, all: readonly [string, Work<T>][], at: number, on: T, turn: number): Promise<void> {
  const [name, work] = all[at % all.length] ?? ["", async () => undefined];
  return load.act(name, () => work(on, turn));
}

/** Clients that are opened, used for a while and closed in one of several ways. */
export interface Visits<T> {
  name: string;
  open(): Promise<T>;
  works: Works<T>;
  close(on: T, turn: number, warming: boolean): Promise<void>;
}

const WORKS_A_VISIT = 12;

export function visit<T>({ name, open, works, close }: Visits<T>, from = 0): Lane {
  const all = Object.entries(works);
  let at = from;
  return async (load) => {
    load.expect(Object.keys(works));
    for (let began = await load.nextSlot(); began !== undefined; began = await load.nextSlot()) {
      const turn = began;
      await load.act(name, async () => {
        const on = await open();
        try {
          for (let done = 0; done < WORKS_A_VISIT; done++) {
            const next = await load.nextSlot();
            if (next === undefined) break;
            await actOf(load, all, at++, on, next);
          }
        } finally {
          await close(on, turn, load.warming);
        }
      });
    }
  };
}
