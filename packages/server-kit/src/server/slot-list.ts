// SlotList: items that are added and deleted by the thousand, without an order. An old Set or Map of V8 keeps deleted entries until its next
// full collection, because each table that was outgrown refers to the one after it.

export class SlotList<T extends { slot: number }> {
  readonly #all: T[] = [];

  get size(): number {
    return this.#all.length;
  }

  /** To delete items in the loop, iterate over a copy: the last item takes the slot of a deleted one. */
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
