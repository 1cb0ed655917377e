// Notices: one connection that receives the notifications of a channel, and connects again after each loss.
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { Address } from "./address.ts";
import { withDeadline } from "./deadline.ts";

export interface NoticeEvents {
  onNotice(payload: string): void;
  /** The channel is listened to; notices before may be lost. */
  onReady(): void;
}

const CHECK_INTERVAL_MS = 1000;
const MAX_RETRY_MS = 1000;

export class Notices {
  isReady = false;
  readonly #address: Address;
  readonly #channel: string;
  readonly #events: NoticeEvents;
  #client: Client | undefined;
  #isClosed = false;

  constructor(address: Address, channel: string, events: NoticeEvents) {
    this.#address = address;
    this.#channel = channel;
    this.#events = events;
    void this.#run();
  }

  close(): void {
    this.#isClosed = true;
    cut(this.#client);
  }

  async #run(): Promise<void> {
    let retryMs = 50;
    while (!this.#isClosed) {
      try {
        await this.#listen(() => (retryMs = 50));
      } catch {
        // The next attempt follows.
      } finally {
        this.isReady = false;
        cut(this.#client);
      }
      if (!this.#isClosed) await delay(retryMs, undefined, { ref: false });
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  /** Rejects when the connection is lost or stands still. */
  async #listen(onConnected: () => void): Promise<void> {
    const { connectionString, answerMs } = this.#address;
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: answerMs,
      keepAlive: true,
    });
    this.#client = client;
    client.on("error", () => cut(client)); // a query in progress rejects
    client.on("notification", ({ payload = "" }) => this.#events.onNotice(payload));
    await withDeadline(client.connect(), answerMs);
    await withDeadline(client.query(`listen "${this.#channel}"`), answerMs);
    onConnected();
    this.isReady = true;
    this.#events.onReady();
    const lost = new Promise<void>((resolve) => client.once("end", resolve));
    // Without these queries, a paused engine or a cut network would go unnoticed: a listener only waits.
    for (;;) {
      const isLost = await Promise.race([lost.then(() => true), delay(CHECK_INTERVAL_MS, false, { ref: false })]);
      if (isLost || this.#isClosed) return;
      await withDeadline(client.query("select 1"), answerMs);
    }
  }
}

/** Destroys a connection. `end()` of the library waits for an answer of the engine. */
function cut(client: Client | undefined): void {
  client?.end().catch(() => {});
  client?.connection.stream.destroy();
}
