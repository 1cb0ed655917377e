// Registry: an ordered collection of named definitions that notifies listeners of changes.

export class Registry<T> {
  readonly #kind: string;
  readonly #nameOf: (item: T) => string;
  readonly #isDeclared: boolean;
  readonly #items = new Map<string, T>();
  readonly #listeners = new Set<() => void>();
  readonly #check: (item: T) => void;
  readonly #filters: { readonly filter: (item: T) => boolean; readonly reasonFor: ((item: T) => string) | undefined }[] = [];
  readonly #withheld = new Map<string, string>();
  /** Increases with each change, so that encoded lists can be cached. */
  version = 0;

  /**
   * Throws on additions when the feature was not declared to clients, since they would never request it. `check` throws for an item that the
   * server cannot have.
   */
  constructor(kind: string, nameOf: (item: T) => string, items: readonly T[] = [], isDeclared = true, check: (item: T) => void = () => {}) {
    this.#kind = kind;
    this.#check = check;
    this.#nameOf = nameOf;
    this.#isDeclared = isDeclared;
    for (const item of items) this.#insert(item);
  }

  get size(): number {
    return this.#items.size;
  }

  get(name: string): T | undefined {
    return this.#items.get(name);
  }

  /** Iterates in order of registration. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  /** Appends all items or none. Throws when a name is taken, and when the server was defined without this list. */
  add(...items: readonly T[]): void {
    if (!this.#isDeclared)
      throw new TypeError(
        `Cannot add ${this.#kind}: the server was defined without this list. Pass defineServer a list, which may be empty.`,
      );
    const added: string[] = [];
    try {
      for (const item of items) added.push(this.#insert(item));
    } catch (error) {
      for (const name of added) this.#items.delete(name);
      throw error;
    }
    this.touch();
  }

  remove(...names: readonly string[]): void {
    let removed = false;
    for (const name of names) removed = this.#items.delete(name) || removed;
    if (removed) this.touch();
  }

  /** Adds lazily loaded definitions without a notification: no client has seen a list without them. */
  fill(items: readonly T[]): void {
    for (const item of items) this.#insert(item);
    this.#applyFilters();
  }

  /**
   * Removes the definitions for which the filter is false, now and after each {@link fill}. Earlier filters still hold.
   * @param reasonFor Why a definition is withheld, and how the operator changes that; whole sentences. Default: it is unknown to clients.
   */
  keep(filter: (item: T) => boolean, reasonFor?: (item: T) => string): void {
    this.#filters.push({ filter, reasonFor });
    this.#applyFilters();
  }

  /** Why each withheld name is not offered, for those that a filter with a reason removed. */
  get withheld(): ReadonlyMap<string, string> {
    return this.#withheld;
  }

  /** Calls the listener after each change; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies listeners of a change outside the definitions, such as the listed resources of a template. */
  touch(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  #insert(item: T): string {
    this.#check(item);
    const name = this.#nameOf(item);
    if (this.#items.has(name))
      throw new TypeError(`Duplicate name "${name}" among the ${this.#kind}. Rename one of them, or enter it once.`);
    this.#items.set(name, item);
    this.#withheld.delete(name);
    return name;
  }

  #applyFilters(): void {
    const removed: string[] = [];
    for (const [name, item] of this.#items) {
      const failed = this.#filters.find(({ filter }) => !filter(item));
      if (failed === undefined) continue;
      removed.push(name);
      if (failed.reasonFor !== undefined) this.#withheld.set(name, failed.reasonFor(item));
    }
    this.remove(...removed);
  }
}
