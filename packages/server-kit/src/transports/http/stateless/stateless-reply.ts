// StatelessReply: the response to one stateless request. One JSON body, or an event stream that ends with the response.
// A client that closes the connection cancels its request. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
import type { Auth } from "../../../protocol/auth.ts";
import type { Channel } from "../../../runtime/request/channel.ts";
import { METHOD_NOT_FOUND, type ErrorObject } from "../../../wire/json-rpc.ts";
import { EventStream } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import { respondRefusal, respondText } from "../responses.ts";

/** Status of an error response by its code, while nothing was written before it; 200 for every other code. */
const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
  429: 429,
};

/** Characters that may wait for a client that reads slowly. */
const MAX_PENDING = 8 * 1024 * 1024;

export class StatelessReply implements Channel {
  readonly auth: Auth | undefined;
  readonly #startedAt = performance.now();
  readonly #exchange: HttpExchange;
  #stream: EventStream | undefined;
  #isAnswered = false;
  #isDisconnected = false;
  #onDone: (() => void) | undefined;
  #onDisconnect: (() => void) | undefined;

  constructor(exchange: HttpExchange, auth: Auth | undefined) {
    this.#exchange = exchange;
    this.auth = auth;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  /**
   * Called when the request was not answered in the same turn. One of the two is called once: `onDone` after the response,
   * `onDisconnect` when the connection was lost before it.
   */
  wait(onDone: () => void, onDisconnect: () => void): void {
    this.#onDone = onDone;
    this.#onDisconnect = onDisconnect;
    if (this.#isDisconnected) onDisconnect();
    else if (this.#stream === undefined) this.#exchange.onClose = () => this.#markDisconnected();
  }

  /** Starts the event stream, unless it has started. */
  startStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = new EventStream({ maxPending: MAX_PENDING });
    stream.onDisconnect = () => this.#markDisconnected();
    this.#stream = stream;
    stream.connect(this.#exchange);
    return stream;
  }

  notify(text: string): void {
    if (this.#isAnswered || this.#isDisconnected) return;
    const stream = this.startStream();
    stream.append(text);
    stream.flush();
  }

  complete(text: string | undefined, code?: number): void {
    if (this.#isAnswered || this.#isDisconnected) return;
    this.#isAnswered = true;
    if (this.#stream === undefined) {
      this.#respond(text, code);
    } else {
      if (text !== undefined) this.#stream.append(text);
      this.#stream.complete();
    }
    this.#onDone?.();
  }

  refuse(error: ErrorObject): void {
    this.#isAnswered = true;
    respondRefusal(this.#exchange, error);
    this.#onDone?.();
  }

  /** Called by the clock: starts a stream for a slow response, keeps an idle one alive. */
  tick(now: number, limits: Readonly<HttpLimits>): void {
    if (this.#stream !== undefined) this.#stream.tick(now, limits);
    else if (now - this.#startedAt >= limits.silentMs) this.startStream().keepAlive();
  }

  #respond(text: string | undefined, code?: number): void {
    respondText(this.#exchange, text, code === undefined ? 200 : (STATUS_BY_CODE[code] ?? 200));
  }

  #markDisconnected(): void {
    if (this.#isAnswered || this.#isDisconnected) return;
    this.#isDisconnected = true;
    this.#onDisconnect?.();
  }
}
