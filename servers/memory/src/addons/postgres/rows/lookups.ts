// Look-ups: rows by a key. An operation reads them at once where they have been loaded. Otherwise it ends with NotLoaded; the rows are then
// loaded, for all keys that are known to be needed, and the operation starts again. So the operations of SQLite, which read row by row,
// need one query for many rows here.
import type { PostgresConnection } from "../engine/postgres-connection.ts";

type Key = string | number;

/** Thrown by a look-up. Operations must not catch it. */
export class NotLoaded extends Error {
  override readonly name = "NotLoaded";
  readonly load: (sql: PostgresConnection) => Promise<void>;

  constructor(load: (sql: PostgresConnection) => Promise<void>) {
    super("rows are not loaded yet");
    this.load = load;
  }
}

/** Reads the values of many keys. Keys without a value may be left out. */
export type LoadMany<K extends Key, V> = (sql: PostgresConnection, keys: K[]) => Promise<ReadonlyMap<K, V>>;

export class Lookup<K extends Key, V> {
  readonly #loaded = new Map<K, V>();
  readonly #loadMany: LoadMany<K, V>;
  readonly #missing: () => V;

  /** `missing`: the value of a key that has none. */
  constructor(loadMany: LoadMany<K, V>, missing: () => V) {
    this.#loadMany = loadMany;
    this.#missing = missing;
  }

  get(key: K): V {
    const value = this.#loaded.get(key);
    if (value === undefined && !this.#loaded.has(key)) throw this.notLoaded([key]);
    return value as V; // undefined is a value
  }

  /** Those that are not loaded yet. */
  unloaded(keys: Iterable<K>): K[] {
    const unloaded = new Set<K>();
    for (const key of keys) if (!this.#loaded.has(key)) unloaded.add(key);
    return [...unloaded];
  }

  notLoaded(keys: K[]): NotLoaded {
    return new NotLoaded((sql) => this.load(sql, keys));
  }

  async load(sql: PostgresConnection, keys: K[]): Promise<void> {
    const values = await this.#loadMany(sql, keys);
    for (const key of keys) this.#loaded.set(key, values.get(key) ?? this.#missing());
  }

  /** For values that were read together with others. */
  set(key: K, value: V): void {
    this.#loaded.set(key, value);
  }
}

/** A look-up for each call `asOf`, and one for now. */
export class TimedLookup<K extends Key, V> {
  readonly #byCall = new Map<number | undefined, Lookup<K, V>>();
  readonly #create: (asOf: number | undefined) => Lookup<K, V>;

  constructor(create: (asOf: number | undefined) => Lookup<K, V>) {
    this.#create = create;
  }

  at(asOf: number | undefined): Lookup<K, V> {
    let lookup = this.#byCall.get(asOf);
    if (lookup === undefined) this.#byCall.set(asOf, (lookup = this.#create(asOf)));
    return lookup;
  }
}

type Values = (string | number)[];

/** A look-up whose keys are the arguments of one query, whose text may depend on how many they are. */
export function queryLookup<Row>(sql: string | ((values: Values) => string)): Lookup<string, Row[]> {
  return new Lookup(
    async (connection, keys) => {
      const found = new Map<string, Row[]>();
      for (const key of keys) {
        const values = JSON.parse(key) as Values; // as keyOf made it
        found.set(key, await connection.all<Row>(typeof sql === "string" ? sql : sql(values), ...values));
      }
      return found;
    },
    () => [],
  );
}

export const keyOf = (...values: readonly (string | number)[]): string => JSON.stringify(values);

/** Groups rows by a key. */
export function groupBy<K, Row>(rows: Iterable<Row>, keyOfRow: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>();
  for (const row of rows) {
    const key = keyOfRow(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
