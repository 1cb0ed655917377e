// The connections to one Postgres. All memories at an address share them, so that many people need no more of them than one.
import { FairSlots } from "@oarlock/domain-kit";
import { Pool, type PoolClient } from "pg";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { NewsConnection } from "./news-connection.ts";
import { parserOf } from "./values.ts";
import { Watchdog } from "./watchdog.ts";

/** Connections in use at the same time: of all memories, and of one person where a login tells people apart. */
const MAX_IN_USE = 16;
const MAX_OF_ONE_PERSON = 6;
/** For cancellations. */
const SPARE_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 1500;
const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;

const optionsFor = (address: string) => ({
  connectionString: address,
  application_name: "oarlock-memory",
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  options: `-c statement_timeout=${STATEMENT_TIMEOUT_MS} -c lock_timeout=${LOCK_TIMEOUT_MS}`,
  types: { getTypeParser: (type: number) => parserOf(type) },
});

const byAddress = new Map<string, PostgresConnections>();

export class PostgresConnections {
  readonly news: NewsConnection;
  readonly watchdog: Watchdog;
  readonly #address: string;
  readonly #pool: Pool;
  readonly #slots = new FairSlots({ all: MAX_IN_USE, ofOne: MAX_OF_ONE_PERSON });
  #users = 0;

  private constructor(address: string) {
    const options = optionsFor(address);
    this.#address = address;
    this.news = new NewsConnection(options);
    this.watchdog = new Watchdog(options);
    this.#pool = new Pool({ ...options, max: MAX_IN_USE + SPARE_CONNECTIONS, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
    // A connection that breaks while it is idle is replaced by the next call.
    this.#pool.on("error", () => undefined);
  }

  /** Those to an address, for one more user, who releases them at the end. */
  static share({ address }: PostgresLocation): PostgresConnections {
    const connections = byAddress.get(address) ?? new PostgresConnections(address);
    byAddress.set(address, connections);
    connections.#users += 1;
    return connections;
  }

  /** Ends them with the last user. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    byAddress.delete(this.#address);
    this.watchdog.stop();
    this.news.close();
    await this.#pool.end();
  }

  /** Runs `work`, which takes one connection, once the person for whom it works has a turn. Rejects with the abort reason of `signal`. */
  async inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return await this.#slots.run(work, signal);
  }

  /** Rejects with the error of the driver. The caller releases it. */
  async connect(): Promise<PoolClient> {
    return await this.#pool.connect();
  }

  async cancel(client: PoolClient): Promise<void> {
    const { processID } = client as unknown as { processID: number | null }; // not in the types of the driver
    if (processID === null) return;
    await this.#pool.query("select pg_cancel_backend($1)", [processID]).catch(() => undefined);
  }
}
