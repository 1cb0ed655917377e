// Things that come and go by the thousand, in no order. V8 leaves what has been deleted from a Set or Map to its next full
// collection once the table is old: each table that was outgrown holds on to the one after it, and so to what stood there.

export class Roster<T extends { slot: number }> {
  readonly #all: T[] = [];

  get size(): number {
    return this.#all.length;
  }

  /** To delete on the way, go over a copy: another one takes the place of what goes. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#all.values();
  }

  add(item: T): void {
    if (item.slot !== -1) return;
    item.slot = this.#all.length;
    this.#all.push(item);
  }

  delete(item: T): void {
    const { slot } = item;
    if (slot === -1) return;
    item.slot = -1;
    const last = this.#all.pop();
    if (last === undefined || last === item) return;
    this.#all[slot] = last;
    last.slot = slot;
  }
}
