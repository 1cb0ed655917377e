// One connection to Postgres, for the time of a transaction.
import type { ClientBase } from "pg";
import { encodeValue, type PostgresValue } from "./values.ts";

export class PostgresConnection {
  /** Since when a query has been waiting for its answer; infinity while there is none. */
  waitingSince = Number.POSITIVE_INFINITY;
  /** Whether a change of this transaction may have reached the engine. */
  hasChanged = false;
  readonly #client: ClientBase;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  /** The type of a row is declared by the caller, who wrote the SQL. */
  async all<Row>(sql: string, ...values: PostgresValue[]): Promise<Row[]> {
    return (await this.#query(sql, values)).rows as Row[];
  }

  async get<Row>(sql: string, ...values: PostgresValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...values))[0];
  }

  /** Returns the number of changed rows. */
  async run(sql: string, ...values: PostgresValue[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  async #query(sql: string, values: readonly PostgresValue[]) {
    this.waitingSince = performance.now();
    try {
      // Without values a query may have several statements.
      return await (values.length === 0 ? this.#client.query(sql) : this.#client.query(sql, values.map(encodeValue)));
    } finally {
      this.waitingSince = Number.POSITIVE_INFINITY;
    }
  }
}
