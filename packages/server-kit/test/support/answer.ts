// One HTTP answer on its way in: a whole body, or the events of a stream as they come, read as fast as a test wants.
import type { IncomingMessage } from "node:http";
import { MessageQueue } from "../../../testing/src/process/message-queue.ts";
import type { Json } from "../../src/protocol.ts";

/** How long a test waits for what must come. Only used up by a test that fails. */
const DEADLINE_MS = 60_000;

export interface SseEvent {
  id?: string;
  event?: string;
  retry?: string;
  /** Empty when there was no such line or nothing in it. */
  data: string;
}

export class Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** How it ended: in order, or by a cut. */
  readonly closed: Promise<"ended" | "cut">;
  /** Comment lines so far. */
  comments = 0;
  /** All that came so far. */
  raw = "";
  /** Called with each piece that comes. */
  onPiece: ((piece: string) => void) | undefined;
  readonly #message: IncomingMessage;
  readonly #events = new MessageQueue<SseEvent>(() => `; status ${this.status}, so far: ${this.raw.slice(-500)}`);
  #rest = "";

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.status = message.statusCode ?? 0;
    this.headers = message.headers;
    message.setEncoding("utf8").on("data", (piece: string) => this.#take(piece));
    message.on("error", () => undefined); // `closed` reports the cut
    this.closed = new Promise((resolve) => {
      message.on("close", () => {
        this.#events.end("the answer is over");
        resolve(message.complete ? "ended" : "cut");
      });
    });
  }

  get type(): string | undefined {
    return this.headers["content-type"];
  }

  #take(piece: string): void {
    this.raw += piece;
    this.onPiece?.(piece);
    if (this.type !== "text/event-stream") return;
    const blocks = (this.#rest + piece).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#event(block);
  }

  #event(block: string): void {
    const event: SseEvent = { data: "" };
    let fields = 0;
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "") {
        this.comments++;
        continue;
      }
      if (!["id", "event", "retry", "data"].includes(name) || Object.hasOwn(event, name) === (name !== "data")) {
        throw new Error(`an event stream holds ${JSON.stringify(block)}`);
      }
      event[name as keyof SseEvent] = value;
      fields++;
    }
    if (fields > 0) this.#events.push(event);
  }

  /** The next event; throws when none comes in time, or none will come. */
  event(deadlineMs = DEADLINE_MS): Promise<SseEvent> {
    return this.#events.next(deadlineMs);
  }

  /** Events that came and were not taken yet. */
  get waiting(): readonly SseEvent[] {
    return this.#events.unread;
  }

  /** The next message of the stream; events without one are passed over. */
  async message(deadlineMs?: number): Promise<Json> {
    for (;;) {
      const { data } = await this.event(deadlineMs);
      if (data !== "") return JSON.parse(data) as Json;
    }
  }

  /** All messages that are still to come, up to the end of the stream. */
  async messages(): Promise<Json[]> {
    await this.closed;
    return this.#events.unread.flatMap(({ data }) => (data === "" ? [] : [JSON.parse(data) as Json]));
  }

  /** The whole body. */
  async text(): Promise<string> {
    await this.closed;
    return this.raw;
  }

  /** The whole body as JSON. */
  async json(): Promise<Json> {
    return JSON.parse(await this.text()) as Json;
  }

  /** Stops reading, so that what is sent piles up on its way. */
  pause(): void {
    this.#message.pause();
  }

  readOn(): void {
    this.#message.resume();
  }

  /** Leaves without a word. */
  drop(): void {
    this.#message.destroy();
  }
}
