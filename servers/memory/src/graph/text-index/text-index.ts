// Keeps the two text indexes in step with the tables. New names and observations wait outside the indexes, where searches read them
// directly (candidates.ts), and are added in batches: a single text costs its commit nearly half of the pages it writes, and a batch sorted
// by position is added three times as fast, because FTS5 flushes its buffer whenever a row id is not higher than the last one.
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { positionOf, type TextKind } from "./index-positions.ts";
import { shortGrams, trigramText } from "./ngrams.ts";

/** Texts of a kind that may wait outside the indexes after a transaction. */
const MAX_WAITING = 16;
/** A text longer than this, in characters, does not wait: searches would take long to read it. */
const MAX_WAITING_LENGTH = 1000;
/** Texts that may wait within one transaction. */
const MAX_WAITING_IN_TRANSACTION = 2000;

/** Types are few and are added at once. */
type BatchedKind = Exclude<TextKind, "type">;

/** In the order of their positions. */
const WAITING: readonly (readonly [kind: BatchedKind, sql: string])[] = [
  ["name", "SELECT id, name FROM entity WHERE id > ? AND ended IS NULL ORDER BY id DESC"],
  ["observation", "SELECT id, text FROM observation WHERE id > ? AND ended IS NULL ORDER BY id DESC"],
];

interface TransactionState {
  /** The highest ids in the indexes. */
  indexed: Readonly<Record<BatchedKind, number>>;
  /** The highest ids in the tables. */
  readonly newest: Record<BatchedKind, number>;
  hasLongText: boolean;
}

export class TextIndex {
  readonly #sql: SqlConnection;
  #state: TransactionState | undefined;

  constructor(sql: SqlConnection) {
    this.#sql = sql;
  }

  /** Adds a text whose row has been inserted in this transaction. */
  add(kind: TextKind, id: number, text: string): void {
    const state = this.#currentState();
    if (kind === "type" || id <= state.indexed[kind]) return this.#insert(kind, id, text);
    state.newest[kind] = Math.max(state.newest[kind], id);
    state.hasLongText ||= text.length > MAX_WAITING_LENGTH;
    if (id - state.indexed[kind] >= MAX_WAITING_IN_TRANSACTION) this.#indexWaiting(state);
  }

  /** `text` must be the text that was added: the indexes have no copy of it. */
  remove(kind: TextKind, id: number, text: string): void {
    if (kind !== "type" && id > this.#currentState().indexed[kind]) return;
    const position = positionOf(kind, id);
    const short = shortGrams(text);
    this.#sql.run("INSERT INTO trigram (trigram, rowid, text) VALUES ('delete', ?, ?)", position, trigramText(text));
    if (short !== "") this.#sql.run("INSERT INTO gram (gram, rowid, text) VALUES ('delete', ?, ?)", position, short);
  }

  /** Must be called before a transaction is committed. */
  beforeCommit(): void {
    const state = this.#state;
    if (state === undefined) return;
    const hasMany = WAITING.some(([kind]) => state.newest[kind] - state.indexed[kind] > MAX_WAITING);
    if (state.hasLongText || hasMany) this.#indexWaiting(state);
    this.#state = undefined;
  }

  /** Must be called after a transaction is rolled back. */
  afterRollback(): void {
    this.#state = undefined;
  }

  #insert(kind: TextKind, id: number, text: string): void {
    const position = positionOf(kind, id);
    const short = shortGrams(text);
    this.#sql.run("INSERT INTO trigram (rowid, text) VALUES (?, ?)", position, trigramText(text));
    if (short !== "") this.#sql.run("INSERT INTO gram (rowid, text) VALUES (?, ?)", position, short);
  }

  /** Read once for each transaction: it holds the write lock, so nothing else changes the state. */
  #currentState(): TransactionState {
    if (this.#state !== undefined) return this.#state;
    const indexed = this.#sql.get<TransactionState["indexed"]>("SELECT name, observation FROM indexed") ?? { name: 0, observation: 0 };
    return (this.#state = { indexed, newest: { ...indexed }, hasLongText: false });
  }

  #indexWaiting(state: TransactionState): void {
    for (const [kind, sql] of WAITING) {
      for (const [id, text] of this.#sql.tuples<[number, string]>(sql, state.indexed[kind])) {
        this.#insert(kind, id, text);
        state.newest[kind] = Math.max(state.newest[kind], id);
      }
    }
    state.indexed = { ...state.newest };
    this.#sql.run("UPDATE indexed SET name = ?, observation = ?", state.newest.name, state.newest.observation);
  }
}
