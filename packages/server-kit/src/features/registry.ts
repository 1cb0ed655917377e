// Registry: an ordered collection of named definitions that notifies of its changes.

export class Registry<T> {
  readonly #kind: string;
  readonly #nameOf: (item: T) => string;
  readonly #offered: boolean;
  readonly #items = new Map<string, T>();
  readonly #listeners = new Set<() => void>();
  #stays: (item: T) => boolean = () => true;
  /** Increases with each change, so that encoded lists can be cached. */
  version = 0;

  /** A registry that is not `offered` accepts no additions: clients do not request a feature that was not declared. */
  constructor(kind: string, nameOf: (item: T) => string, items: readonly T[] = [], offered = true) {
    this.#kind = kind;
    this.#nameOf = nameOf;
    this.#offered = offered;
    for (const item of items) this.#insert(item);
  }

  get size(): number {
    return this.#items.size;
  }

  get(name: string): T | undefined {
    return this.#items.get(name);
  }

  /** In order of registration, always. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  /** Adds at the end, all or none. Throws when a name is taken, and when the server was defined without this list. */
  add(...items: readonly T[]): void {
    if (!this.#offered)
      throw new TypeError(`the server offers no ${this.#kind}: give defineServer a list, which may be empty, to add to it later`);
    const added: string[] = [];
    try {
      for (const item of items) added.push(this.#insert(item));
    } catch (error) {
      for (const name of added) this.#items.delete(name);
      throw error;
    }
    this.#changed();
  }

  remove(...names: readonly string[]): void {
    let removed = false;
    for (const name of names) removed = this.#items.delete(name) || removed;
    if (removed) this.#changed();
  }

  /** Adds lazily loaded definitions without a notification: no client has seen a list without them. */
  fill(items: readonly T[]): void {
    for (const item of items) this.#insert(item);
    this.keep(this.#stays);
  }

  /** Keeps only these of the initial definitions, those of a later {@link fill} included. */
  keep(stays: (item: T) => boolean): void {
    this.#stays = stays;
    this.remove(...[...this.#items].filter(([, item]) => !stays(item)).map(([name]) => name));
  }

  /** Calls back after each change; returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies of a change outside the definitions, such as another list of a template. */
  touch(): void {
    this.#changed();
  }

  #insert(item: T): string {
    const name = this.#nameOf(item);
    if (this.#items.has(name)) throw new TypeError(`two ${this.#kind} are named "${name}"`);
    this.#items.set(name, item);
    return name;
  }

  #changed(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}
