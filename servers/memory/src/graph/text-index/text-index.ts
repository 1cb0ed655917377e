// The two indexes of texts, kept in step with the tables. A new text is not in them at first: a search reads it (candidates.ts). They
// go in by the dozen, as one alone costs its commit nearly half of the pages that it writes; and sorted by place, as the index
// writes out all it has gathered whenever a place is not behind the last one: that is three times as fast for many.
import { indexed, shortGrams } from "./ngrams.ts";
import { placeOf, type Kind } from "./index-positions.ts";
import type { Store } from "../store/store.ts";

/** So many ids of a kind are left for searches to read. */
const MOST_LEFT = 16;
/** And none at whose text, in characters, a search would sit for long. */
const LONG = 1000;
/** In one transaction more are not held back. */
const MOST_HELD = 2000;

/** Types are few, and go in at once. */
type Late = Exclude<Kind, "type">;

/** In the order of their places. */
const NEW: readonly (readonly [Late, string])[] = [
  ["name", "SELECT id, name FROM entity WHERE id > ? AND ended IS NULL ORDER BY id DESC"],
  ["observation", "SELECT id, text FROM observation WHERE id > ? AND ended IS NULL ORDER BY id DESC"],
];

/** What a transaction knows of it. */
interface State {
  /** The last ids that the indexes have seen. */
  seen: Readonly<Record<Late, number>>;
  /** The last ids that there are. */
  readonly last: Record<Late, number>;
  hasLong: boolean;
}

export class TextIndex {
  readonly #store: Store;
  #state: State | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  add(kind: Kind, id: number, text: string): void {
    const state = this.#now();
    if (kind === "type" || id <= state.seen[kind]) return this.#insert(kind, id, text);
    state.last[kind] = Math.max(state.last[kind], id);
    state.hasLong ||= text.length > LONG;
    if (id - state.seen[kind] >= MOST_HELD) this.#catchUp(state);
  }

  /** `text` must be what went in: the index has no copy of it. */
  remove(kind: Kind, id: number, text: string): void {
    if (kind !== "type" && id > this.#now().seen[kind]) return;
    const place = placeOf(kind, id);
    const short = shortGrams(text);
    this.#store.run("INSERT INTO trigram (trigram, rowid, text) VALUES ('delete', ?, ?)", place, indexed(text));
    if (short !== "") this.#store.run("INSERT INTO gram (gram, rowid, text) VALUES ('delete', ?, ?)", place, short);
  }

  #insert(kind: Kind, id: number, text: string): void {
    const place = placeOf(kind, id);
    const short = shortGrams(text);
    this.#store.run("INSERT INTO trigram (rowid, text) VALUES (?, ?)", place, indexed(text));
    if (short !== "") this.#store.run("INSERT INTO gram (rowid, text) VALUES (?, ?)", place, short);
  }

  /** Read once in a transaction: only one that has the lock changes it. */
  #now(): State {
    if (this.#state !== undefined) return this.#state;
    const seen = this.#store.get<State["seen"]>("SELECT name, observation FROM indexed") ?? { name: 0, observation: 0 };
    return (this.#state = { seen, last: { ...seen }, hasLong: false });
  }

  #catchUp(state: State): void {
    for (const [kind, sql] of NEW) {
      for (const [id, text] of this.#store.rows<[number, string]>(sql, state.seen[kind])) {
        this.#insert(kind, id, text);
        state.last[kind] = Math.max(state.last[kind], id);
      }
    }
    state.seen = { ...state.last };
    this.#store.run("UPDATE indexed SET name = ?, observation = ?", state.last.name, state.last.observation);
  }

  /** Before a transaction ends. */
  flush(): void {
    const state = this.#state;
    if (state === undefined) return;
    if (state.hasLong || NEW.some(([kind]) => state.last[kind] - state.seen[kind] > MOST_LEFT)) this.#catchUp(state);
    this.#state = undefined;
  }

  /** After a transaction that was undone. */
  forget(): void {
    this.#state = undefined;
  }
}
