// The one thing in the sample that changes: a sign at the door, which is read, watched and turned.

export class Sign {
  text: "open" | "shut" = "shut";
  readonly #watchers = new Set<() => void>();

  turn(): void {
    this.text = this.text === "open" ? "shut" : "open";
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls back at each turn until the function that it gives is called. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }
}
