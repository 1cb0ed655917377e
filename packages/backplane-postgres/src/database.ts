// Database: runs queries within their time limit, and removes what has expired.
import { Pool, type QueryResultRow } from "pg";
import type { Address } from "./address.ts";
import { withDeadline } from "./deadline.ts";
import { SCHEMA } from "./schema.ts";

const CONNECTIONS = 8;
const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_ROWS = 1000;

export class Database {
  isUp = true;
  readonly #pool: Pool;
  readonly #answerMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor({ connectionString, answerMs }: Address) {
    this.#answerMs = answerMs;
    this.#pool = new Pool({
      connectionString,
      max: CONNECTIONS,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    this.#pool.on("error", () => (this.isUp = false)); // an idle connection was lost; the pool opens others
    this.#timer = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      const { rows } = await withDeadline(this.#pool.query<Row>(text, [...values]), this.#answerMs);
      this.isUp = true;
      return rows;
    } catch (error) {
      this.isUp = !isAbsence(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // Connections that wait for an answer end by their own time limit.
    await withDeadline(this.#pool.end(), this.#answerMs).catch(() => {});
  }

  /** Deletes expired rows, which no query returns any more. Nodes that sweep at the same time skip each other's rows. */
  async #sweep(): Promise<void> {
    for (const table of ["record", "bucket"])
      try {
        await this.query(
          `delete from ${SCHEMA}.${table} where key in (
             select key from ${SCHEMA}.${table} where expires_at < clock_timestamp() limit ${SWEEP_ROWS} for update skip locked)`,
          [],
        );
      } catch {
        // The next minute.
      }
  }
}

/** Errors of statements have a code of five characters; those of class 57 and 53 are about the server. */
function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return !/^[0-9A-Z]{5}$/.test(code) || /^5[37]/.test(code);
}
