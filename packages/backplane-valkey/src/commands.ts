// Commands: runs commands within their time limit, and knows whether the engine answers.
import type { Address } from "./address.ts";
import { connectionsOf, cut, openClient, type Client } from "./client.ts";
import { withDeadline } from "./deadline.ts";
import type { Mode } from "./probe.ts";

const CHECK_INTERVAL_MS = 1000;

export class Commands {
  isUp = true;
  readonly client: Client;
  readonly #answerMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor(address: Address, mode: Mode) {
    this.#answerMs = address.answerMs;
    this.client = openClient(address, mode);
    this.client.on("error", () => {}); // the rejected commands report it
    this.client.on("close", () => (this.isUp = false));
    this.client.on("ready", () => (this.isUp = true));
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  async run<T>(command: (client: Client) => Promise<T>): Promise<T> {
    return withDeadline(command(this.client), this.#answerMs);
  }

  close(): void {
    clearInterval(this.#timer);
    const connections = connectionsOf(this.client);
    this.client.disconnect();
    for (const connection of connections) cut(connection);
    this.isUp = false;
  }

  /** A connection can stand still without an error: its engine is paused, or its network is cut. */
  async #check(): Promise<void> {
    const connections = connectionsOf(this.client).filter(({ status }) => status === "ready");
    const outcomes = await Promise.allSettled(connections.map((connection) => withDeadline(connection.ping(), this.#answerMs)));
    for (const [index, { status }] of outcomes.entries()) {
      const connection = connections[index];
      if (status === "rejected" && connection !== undefined) cut(connection);
    }
    this.isUp = outcomes.length > 0 && outcomes.every(({ status }) => status === "fulfilled");
  }
}
