// A client that writes its messages itself, to a server in this process: for messages and silences that no client library would send.
import { linkMemory, type Server } from "@oarlock/server-kit";
import { NEWEST_HANDSHAKE, type Json } from "@oarlock/server-kit/protocol";
import { MessageQueue } from "@oarlock/testing";

/** Only what hangs takes as long. */
const DEADLINE_MS = 30_000;

export class RawWire implements AsyncDisposable {
  /** Every text that was received, in order. */
  readonly texts: string[] = [];
  /** Entries of the operator's log, as "error: ref …". */
  readonly log: string[] = [];
  readonly #messages = new MessageQueue<Json>(() => `; log: ${this.log.join("\n")}`);
  readonly #wire: ReturnType<typeof linkMemory>;

  /** `onMessage` receives each message, which is not queued then. */
  constructor(server: Server, onMessage?: (message: Json) => void) {
    this.#wire = linkMemory(server, { log: (level, data) => this.log.push(`${level}: ${String(data)}`) });
    this.#wire.onText = (text) => {
      this.texts.push(text);
      const message = JSON.parse(text) as Json;
      if (onMessage === undefined) this.#messages.push(message);
      else onMessage(message);
    };
  }

  send(message: Json): void {
    this.#wire.send(JSON.stringify(message));
  }

  message(): Promise<Json> {
    return this.#messages.next(DEADLINE_MS);
  }

  /** The first message that `accepts` returns true for; discards messages received before it. */
  async until(accepts: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const message = await this.message();
      if (accepts(message)) return message;
    }
  }

  /** Sends a request and returns its response; discards messages received before it. */
  request(message: Json): Promise<Json> {
    this.send(message);
    return this.until((received) => received["id"] === message["id"] && received["method"] === undefined);
  }

  /** Sends `initialize`; call `initialized` after its response. */
  initialize(capabilities: Json = {}): void {
    const params = { protocolVersion: NEWEST_HANDSHAKE, capabilities, clientInfo: { name: "raw", version: "0" } };
    this.send({ jsonrpc: "2.0", id: "raw-initialize", method: "initialize", params });
  }

  initialized(): void {
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async handshake(capabilities?: Json): Promise<void> {
    this.initialize(capabilities);
    await this.until(({ id }) => id === "raw-initialize");
    this.initialized();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire.close();
  }
}
