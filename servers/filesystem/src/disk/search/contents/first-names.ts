// The first of many names in their order, without keeping all: a search may find a million, and a page shows a hundred.

export class First {
  #names: string[] = [];
  #last: string | undefined;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(name: string): void {
    if (this.#last !== undefined && name > this.#last) return;
    this.#names.push(name);
    if (this.#names.length >= 2 * this.#most + 2) this.#cut();
  }

  /** In order; `more`: there were further ones. */
  sorted(): { names: readonly string[]; more: boolean } {
    this.#cut();
    return { names: this.#names, more: this.#last !== undefined };
  }

  #cut(): void {
    this.#names.sort((a, b) => (a < b ? -1 : 1));
    if (this.#names.length <= this.#most) return;
    this.#names.length = this.#most;
    this.#last = this.#names.at(-1);
  }
}
