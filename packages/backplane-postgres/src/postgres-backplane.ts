// PostgresBackplane: records, logs, messages and buckets in PostgreSQL.
import {
  LOG_BYTES,
  RecordMissing,
  StreamRefused,
  type Addition,
  type AppendResult,
  type Backplane,
  type BackplaneRecord,
  type LogPart,
  type PutOptions,
  type ReadOptions,
} from "@oarlock/cluster/backplane";
import type { QueryResultRow } from "pg";
import type { Address } from "./address.ts";
import { Database } from "./database.ts";
import { prepareDatabase } from "./migration.ts";
import { SCHEMA } from "./schema.ts";
import { digestOf, Subscriptions } from "./subscriptions.ts";

const RETRY_MS = 250;

export interface Settings {
  readonly address: Address;
  /** For the connection that receives notices. */
  readonly listenAddress: Address;
  readonly prefix: string;
  readonly mayMigrate: boolean;
}

interface EntryRow {
  position: string | null;
  stream: number;
  previous: string;
  text: string;
  owner: string | null;
  stream_position: string;
  is_ended: boolean;
  about: string;
}

export class PostgresBackplane implements Backplane {
  readonly #settings: Settings;
  readonly #channel: string;
  readonly #subscriptions: Subscriptions;
  #database: Database | undefined;
  #isClosed = false;
  /** Why the database refuses the address; found out after the start. */
  #refusal: string | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#channel = `oarlock_${digestOf(settings.prefix)}`;
    this.#subscriptions = new Subscriptions(settings.listenAddress, this.#channel);
  }

  get isUp(): boolean {
    return this.#database?.isUp === true && this.#subscriptions.isReady;
  }

  /** Resolves once the database is ready. If it does not answer, the backplane keeps trying by itself. */
  async connect(): Promise<void> {
    const { address, mayMigrate } = this.#settings;
    if (await prepareDatabase(address, mayMigrate)) {
      this.#database = new Database(address);
      if (!this.#subscriptions.isReady) await this.#subscriptions.whenReady();
    } else void this.#connectLater();
  }

  async get(key: string): Promise<BackplaneRecord | undefined> {
    const [row] = await this.#query<{ text: string; version: string }>(
      `select text, version from ${SCHEMA}.record where key = $1 and expires_at > clock_timestamp()`,
      [this.#keyOf(key)],
    );
    return row && { text: row.text, version: Number(row.version) };
  }

  async put(key: string, text: string, { ttlMs, when }: PutOptions): Promise<number | undefined> {
    const [row] = await this.#query<{ version: string | null }>(`select ${SCHEMA}.put($1, $2, ${INTERVAL("$3")}, $4) as version`, [
      this.#keyOf(key),
      text,
      ttlMs,
      when === undefined ? null : String(when),
    ]);
    return numberOf(row?.version);
  }

  async touch(key: string, ttlMs: number): Promise<number | undefined> {
    const [row] = await this.#query<{ version: string }>(
      `update ${SCHEMA}.record set expires_at = clock_timestamp() + ${INTERVAL("$2")}
       where key = $1 and expires_at > clock_timestamp() returning version`,
      [this.#keyOf(key), ttlMs],
    );
    return numberOf(row?.version);
  }

  async drop(key: string): Promise<void> {
    await this.#query(`with dropped as (delete from ${SCHEMA}.record where key = $1) select pg_notify($2, $3)`, [
      this.#keyOf(key),
      this.#channel,
      digestOf(key),
    ]);
  }

  async append(key: string, { stream, writer, replaces, about = "", texts, isLast = false }: Addition): Promise<AppendResult> {
    const [row] = await this.#query<{ outcome: string; stream: number; position: string; owner: string }>(
      `select * from ${SCHEMA}.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [this.#keyOf(key), stream ?? null, writer, replaces ?? null, about, isLast, LOG_BYTES, this.#channel, digestOf(key), texts],
    );
    if (row === undefined || row.outcome === "missing") throw new RecordMissing(key);
    if (row.outcome === "refused") throw new StreamRefused(row.owner);
    return { stream: row.stream, position: Number(row.position) };
  }

  async read(key: string, after: number, { stream, limit = 1000 }: ReadOptions = {}): Promise<LogPart> {
    // One statement sees one moment: entries and the state of the stream agree.
    const rows = await this.#query<EntryRow>(
      `select e.position, e.stream, e.previous, e.text, s.owner, s.position as stream_position, s.is_ended, s.about
       from ${SCHEMA}.record r
       left join ${SCHEMA}.entry e on e.key = r.key and e.position > $2
       left join ${SCHEMA}.stream s on s.key = r.key and s.number = $3
       where r.key = $1 and r.expires_at > clock_timestamp() order by e.position limit $4`,
      [this.#keyOf(key), after, stream ?? null, limit],
    );
    const [first] = rows;
    if (first === undefined) throw new RecordMissing(key);
    const entries = rows.flatMap(({ position, stream: number, previous, text }) =>
      position === null ? [] : [{ position: Number(position), stream: number, previous: Number(previous), text }],
    );
    const { owner, stream_position: position, is_ended: isEnded, about } = first;
    return owner === null ? { entries } : { entries, stream: { owner, position: Number(position), isEnded, about } };
  }

  async publish(topic: string, text: string): Promise<void> {
    await this.#query("select pg_notify($1, $2)", [this.#channel, digestOf(topic) + text]);
  }

  subscribe(topic: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void> {
    return this.#subscriptions.subscribe(topic, onMessage, onMissed);
  }

  async take(bucket: string, want: number, perSecond: number, burst: number): Promise<number> {
    const [row] = await this.#query<{ taken: number }>(`select ${SCHEMA}.take($1, $2, $3, $4) as taken`, [
      this.#keyOf(bucket),
      want,
      perSecond,
      burst,
    ]);
    return row?.taken ?? 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions.close();
    await this.#database?.close();
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.#isClosed) throw new Error("The backplane is closed.");
    if (this.#database === undefined) throw new Error(this.#refusal ?? `The database at ${this.#settings.address.name} does not answer.`);
    return this.#database.query<Row>(text, values);
  }

  async #connectLater(): Promise<void> {
    const { address, mayMigrate } = this.#settings;
    while (!this.#isClosed && this.#database === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      try {
        const isReady = await prepareDatabase(address, mayMigrate);
        if (isReady && !this.#isClosed) this.#database = new Database(address);
      } catch (error) {
        this.#refusal = error instanceof Error ? error.message : String(error);
      }
    }
  }

  #keyOf(key: string): string {
    return `${this.#settings.prefix}:${key}`;
  }
}

/** SQL for a time in milliseconds. */
const INTERVAL = (parameter: string): string => `make_interval(secs => ${parameter}::double precision / 1000)`;

const numberOf = (text: string | null | undefined): number | undefined => (text === null || text === undefined ? undefined : Number(text));
