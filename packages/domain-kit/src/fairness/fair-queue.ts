// Work that waits for its turn and work that runs, of several people: who wants much does not keep the others waiting.

/** A piece of work. Where no login tells people apart, all of it is of one. */
export interface PersonalWork {
  readonly person: string | undefined;
}

const MAX_REMEMBERED = 10_000;

/** The next one is of the person with the fewest running ones, then of whom it is longest since the last one began. */
export class FairQueue<Work extends PersonalWork> {
  readonly #mostOfOne: number;
  readonly #waiting = new Set<Work>();
  readonly #running = new Set<Work>();
  /** When the last work of a person began, in the order of these. */
  readonly #lastStarts = new Map<string | undefined, number>();
  #starts = 0;

  /** `mostOfOne`: how much of one person may run at the same time. */
  constructor(mostOfOne: number) {
    this.#mostOfOne = mostOfOne;
  }

  get waiting(): readonly Work[] {
    return [...this.#waiting];
  }

  get runningCount(): number {
    return this.#running.size;
  }

  add(work: Work): void {
    this.#waiting.add(work);
  }

  /** What may run now. It waits until {@link start}. */
  next(): Work | undefined {
    const counts = new Map<string | undefined, number>();
    for (const { person } of this.#running) counts.set(person, (counts.get(person) ?? 0) + 1);
    let next: { work: Work; count: number; last: number } | undefined;
    for (const work of this.#waiting) {
      const count = counts.get(work.person) ?? 0;
      if (work.person !== undefined && count >= this.#mostOfOne) continue;
      const last = this.#lastStarts.get(work.person) ?? 0;
      if (next === undefined || count < next.count || (count === next.count && last < next.last)) next = { work, count, last };
    }
    return next?.work;
  }

  start(work: Work): void {
    this.#waiting.delete(work);
    this.#running.add(work);
    if (this.#lastStarts.size >= MAX_REMEMBERED) this.#lastStarts.clear();
    this.#lastStarts.set(work.person, (this.#starts += 1));
  }

  remove(work: Work): void {
    this.#waiting.delete(work);
    this.#running.delete(work);
  }
}
