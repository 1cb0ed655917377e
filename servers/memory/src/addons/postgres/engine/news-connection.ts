// The connection on which Postgres sends news of changes, for all memories at an address. It is opened again where it is lost.
import { Client, type ClientConfig } from "pg";
import { socketOf } from "./watchdog.ts";

const MAX_RETRY_MS = 1000;
const HEARTBEAT_MS = 1000;

export interface NewsListener {
  readonly channel: string;
  /** Called after each notification, and after a new connection, because some may have been missed. */
  readonly onNews: () => void;
}

export class NewsConnection {
  readonly #options: ClientConfig;
  readonly #listeners = new Set<NewsListener>();
  #opening: Promise<Client> | undefined;
  #querying: Promise<void> = Promise.resolve();
  #client: Client | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(options: ClientConfig) {
    this.#options = { ...options, query_timeout: HEARTBEAT_MS };
  }

  /** Resolves when the channel is heard. After a rejection it is tried again until {@link unlisten}. */
  async listen(listener: NewsListener): Promise<void> {
    this.#listeners.add(listener);
    const client = await (this.#opening ??= this.#open());
    await this.#query(client, listenTo(listener));
  }

  /** Ends the connection with the last listener. */
  unlisten(listener: NewsListener): void {
    if (!this.#listeners.delete(listener)) return;
    if (this.#listeners.size === 0) return this.close();
    if (this.#listenersOf(listener.channel).length > 0) return;
    if (this.#client !== undefined) this.#query(this.#client, `unlisten "${listener.channel}"`).catch(() => undefined); // its news go nowhere
  }

  close(): void {
    this.#listeners.clear();
    clearTimeout(this.#retry);
    this.#disconnect();
  }

  #listenersOf(name: string): NewsListener[] {
    return [...this.#listeners].filter(({ channel }) => channel === name);
  }

  async #open(): Promise<Client> {
    const client = new Client(this.#options);
    client.on("error", () => this.#reconnect(client));
    client.on("end", () => this.#reconnect(client));
    client.on("notification", ({ channel }) => this.#listenersOf(channel).forEach(({ onNews }) => onNews()));
    this.#client = client;
    try {
      await client.connect();
      socketOf(client).unref();
      await this.#query(client, [...this.#listeners].map(listenTo).join(";"));
    } catch (error) {
      this.#reconnect(client);
      throw error;
    }
    this.#heartbeat = setInterval(() => this.#beat(client), HEARTBEAT_MS).unref();
    this.#failures = 0;
    for (const { onNews } of this.#listeners) onNews();
    return client;
  }

  /** Without it, a connection that is half open would stay so. */
  #beat(client: Client): void {
    this.#query(client, "select 1").catch(() => this.#reconnect(client));
  }

  /** One after another, as the driver expects. */
  async #query(client: Client, sql: string): Promise<void> {
    const earlier = this.#querying;
    const query = (async () => {
      await earlier.catch(() => undefined); // its caller has it
      await client.query(sql);
    })();
    this.#querying = query;
    await query;
  }

  #reconnect(client: Client): void {
    if (this.#client !== client) return;
    this.#disconnect();
    if (this.#listeners.size === 0) return;
    const delay = Math.min(50 * 2 ** this.#failures++, MAX_RETRY_MS);
    this.#retry = setTimeout(() => void (this.#opening ??= this.#open()).catch(() => undefined), delay).unref();
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#opening = undefined;
    clearInterval(this.#heartbeat);
    client?.end().catch(() => undefined);
    if (client !== undefined) socketOf(client).destroy();
  }
}

const listenTo = ({ channel }: NewsListener): string => `listen "${channel}"`;
