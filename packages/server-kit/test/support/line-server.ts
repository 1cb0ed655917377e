// A server in this process that takes lines of bytes, over the line reader and the connection of the stdio transport: without pipes.
import { format } from "node:util";
import { MessageQueue } from "../../../testing/src/process/message-queue.ts";
import type { RuntimeOptions, Server } from "../../src/index.ts";
import { NEWEST_HANDSHAKE, type Json } from "../../src/protocol.ts";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { errorText, PARSE_ERROR } from "../../src/wire/json-rpc.ts";
import { LineReader } from "../../src/wire/ndjson.ts";
import type { Say } from "../fixtures/sample-server.ts";

/** What a test of lines needs of a server, in this process or in one of its own (RawProcess). */
export interface LinePeer extends AsyncDisposable {
  /** Writes bytes; resolves when they have been taken. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Writes one line: a message as JSON, or a string unchanged. */
  send(message: unknown): Promise<void>;
  /** The next line from the server. */
  line(deadlineMs?: number): Promise<string>;
  message(deadlineMs?: number): Promise<Json>;
  /** Sends a request and returns its response; discards messages received before it. */
  request(message: Json, deadlineMs?: number): Promise<Json>;
  /** The first message that `accepts` returns true for; discards messages received before it. */
  until(accepts: (message: Json) => boolean): Promise<Json>;
  handshake(revision?: string, capabilities?: Json): Promise<Json>;
  /** Lines that were received and not read yet. */
  readonly unread: readonly string[];
  /** What the server has logged, and the fixtures have reported. */
  readonly stderr: string;
}

/** Only a failing test waits for so long. */
const DEADLINE_MS = 15_000;

export class LineServer implements LinePeer {
  readonly #runtime: Runtime;
  readonly #connection: Connection;
  readonly #reader: LineReader;
  readonly #lines = new MessageQueue<string>(() => `; log: ${this.#log.slice(-2000)}`);
  #log = "";

  constructor(make: (say: Say) => Server, options: RuntimeOptions = {}) {
    const say = (...values: unknown[]): void => void (this.#log += `${format(...values)}\n`);
    // As in a pipe, nothing is read in the turn in which it was written.
    const deliver = (text: string): void => void setImmediate(() => this.#lines.push(text));
    this.#runtime = new Runtime(make(say), { log: (level, data) => say(level, data), ...options });
    this.#connection = new Connection(this.#runtime, {
      notify: deliver,
      complete: (text) => text !== undefined && deliver(text),
      refuse: (error) => deliver(errorText(null, error)),
    });
    const fault = (reason: "too-long" | "not-utf-8"): void =>
      reason === "too-long" ? this.#connection.refuse("too long") : this.#connection.refuse("not UTF-8", undefined, PARSE_ERROR);
    this.#reader = new LineReader({ line: (text) => this.#connection.receive(text), fault }, this.#runtime.limits.messageBytes);
  }

  get unread(): readonly string[] {
    return this.#lines.unread;
  }

  get stderr(): string {
    return this.#log;
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    this.#reader.push(Buffer.from(bytes));
  }

  send(message: unknown): Promise<void> {
    return this.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  line(deadlineMs = DEADLINE_MS): Promise<string> {
    return this.#lines.next(deadlineMs);
  }

  async message(deadlineMs?: number): Promise<Json> {
    return JSON.parse(await this.line(deadlineMs)) as Json;
  }

  async request(message: Json, deadlineMs?: number): Promise<Json> {
    void this.send(message);
    for (;;) {
      const received = await this.message(deadlineMs);
      if (received["id"] === message["id"] && received["method"] === undefined) return received;
    }
  }

  async until(accepts: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const message = await this.message();
      if (accepts(message)) return message;
    }
  }

  async handshake(revision: string = NEWEST_HANDSHAKE, capabilities: Json = {}): Promise<Json> {
    const params = { protocolVersion: revision, capabilities, clientInfo: { name: "raw", version: "0" } };
    const response = await this.request({ jsonrpc: "2.0", id: "raw-initialize", method: "initialize", params });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.finish(0);
    await this.#runtime.close();
  }
}
