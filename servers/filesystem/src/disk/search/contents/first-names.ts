// The first names in their order out of many, without keeping all: a search may find a million, and a page shows a hundred.

export class FirstNames {
  #names: string[] = [];
  /** The last name that has room, once some had none. */
  #last: string | undefined;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(name: string): void {
    if (this.#last !== undefined && name > this.#last) return;
    this.#names.push(name);
    if (this.#names.length >= 2 * this.#max + 2) this.#cut();
  }

  sorted(): { names: readonly string[]; hasMore: boolean } {
    this.#cut();
    return { names: this.#names, hasMore: this.#last !== undefined };
  }

  #cut(): void {
    this.#names.sort((a, b) => (a < b ? -1 : 1));
    if (this.#names.length <= this.#max) return;
    this.#names.length = this.#max;
    this.#last = this.#names.at(-1);
  }
}
