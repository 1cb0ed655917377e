// The two indexes of texts, kept in step with the tables. Entries wait for the end of their transaction and go in sorted, as the
// index writes out all it has gathered whenever a place is not behind the last one: that is three times as fast for many.
import { indexed, shortGrams } from "./grams.ts";
import { placeOf, type Kind } from "./places.ts";
import type { Store } from "./store.ts";

/** More are not held back. */
const MOST = 2000;

const TABLES = ["trigram", "gram"] as const;
type Table = (typeof TABLES)[number];

export class TextIndex {
  readonly #store: Store;
  readonly #waiting: Readonly<Record<Table, Map<bigint, string>>> = { trigram: new Map(), gram: new Map() };

  constructor(store: Store) {
    this.#store = store;
  }

  add(kind: Kind, id: number, text: string): void {
    const place = placeOf(kind, id);
    this.#waiting.trigram.set(place, indexed(text));
    const short = shortGrams(text);
    if (short !== "") this.#waiting.gram.set(place, short);
    if (this.#waiting.trigram.size >= MOST) this.flush();
  }

  /** `text` must be what went in: the index has no copy of it. */
  remove(kind: Kind, id: number, text: string): void {
    const place = placeOf(kind, id);
    this.#remove("trigram", place, indexed(text));
    const short = shortGrams(text);
    if (short !== "") this.#remove("gram", place, short);
  }

  #remove(table: Table, place: bigint, text: string): void {
    if (this.#waiting[table].delete(place)) return;
    this.#store.run(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`, place, text);
  }

  /** Before a transaction ends. */
  flush(): void {
    for (const table of TABLES) {
      const waiting = this.#waiting[table];
      if (waiting.size === 0) continue;
      const sorted = [...waiting].sort(([a], [b]) => (a < b ? -1 : 1));
      waiting.clear();
      for (const [place, text] of sorted) this.#store.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, place, text);
    }
  }

  /** After a transaction that was undone. */
  forget(): void {
    for (const table of TABLES) this.#waiting[table].clear();
  }
}
