// The way back of a request that speaks for itself: one JSON body, or an event stream that ends with the answer. Whoever
// closes it has cancelled the request. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
import type { Channel } from "../../../server/channel.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { METHOD_NOT_FOUND, withoutSeparators, type ErrorObject } from "../../../wire/json-rpc.ts";
import { answerError, EVENT_HEADERS, JSON_HEADERS } from "../responses.ts";
import type { EventSink, HttpExchange } from "../exchange.ts";

/** Codes whose status is fixed, as long as the answer is the first thing that is said. */
const STATUS: Readonly<Record<number, number>> = { [METHOD_NOT_FOUND]: 404, [-32_020]: 400, [-32_021]: 400, [-32_022]: 400, 429: 429 };

/** What a reader may leave unread, in characters, before it is cut off. */
const MOST_UNREAD = 8 * 1024 * 1024;

export class AloneReply implements Channel {
  readonly auth: Auth | undefined;
  /** When the request came, and when something was last written; by `performance.now()`. */
  readonly since = performance.now();
  written = this.since;
  /** When the reader began to lag behind; 0 while it does not. */
  blocked = 0;
  readonly #exchange: HttpExchange;
  readonly #over: () => void;
  #sink: EventSink | undefined;
  #waiting: string[] = [];
  #unread = 0;
  #done = false;
  #isCut = false;
  #left: (() => void) | undefined;

  /** `over` is called once, when the answer is out or nobody waits for it any more. */
  constructor(exchange: HttpExchange, auth: Auth | undefined, over: () => void) {
    this.#exchange = exchange;
    this.auth = auth;
    this.#over = over;
  }

  get done(): boolean {
    return this.#done;
  }

  get streaming(): boolean {
    return this.#sink !== undefined;
  }

  /** The answer will take longer than this turn; `gone` is called when the client leaves meanwhile. */
  wait(gone: () => void): void {
    if (this.#done) return;
    const left = (): void => {
      if (this.#done) return;
      this.#finish();
      gone();
    };
    if (this.#sink === undefined) this.#exchange.onGone = left;
    else this.#sink.onGone = left;
    this.#left = left;
    if (this.#isCut) left();
  }

  #finish(): void {
    this.#done = true;
    this.#over();
  }

  /** Begins the event stream, unless there is one. */
  begin(): EventSink {
    if (this.#sink !== undefined) return this.#sink;
    const sink = this.#exchange.stream(EVENT_HEADERS);
    this.#sink = sink;
    this.#exchange.onGone = undefined;
    sink.onGone = this.#left;
    sink.onDrain = () => {
      this.blocked = 0;
      this.#unread = 0;
      const text = this.#waiting.join("");
      this.#waiting = [];
      if (text !== "") this.#write(text);
    };
    return sink;
  }

  notify(text: string): void {
    if (!this.#done) this.#event(text);
  }

  #event(text: string): void {
    if (this.#isCut) return;
    this.begin();
    const event = eventOf(text);
    if (this.blocked === 0) return this.#write(event);
    this.#waiting.push(event);
    this.#unread += event.length;
    if (this.#unread > MOST_UNREAD) this.cut();
  }

  #write(text: string): void {
    this.written = performance.now();
    if (this.#sink?.write(text) === false) this.blocked = this.written;
  }

  keepAlive(): void {
    this.begin();
    if (this.blocked === 0) this.#write(":\n\n");
  }

  cut(): void {
    this.#sink?.cut();
    this.#isCut = true;
    this.#waiting = [];
    this.#left?.();
  }

  complete(text: string | undefined, code?: number): void {
    if (this.#done) return;
    this.#finish();
    const sink = this.#sink;
    if (sink === undefined) {
      const status = code === undefined ? 200 : (STATUS[code] ?? 200);
      return this.#exchange.answer(status, text === undefined ? EVENT_HEADERS : JSON_HEADERS, text);
    }
    sink.end(this.#waiting.join("") + (text === undefined ? "" : eventOf(text)));
  }

  refuse(error: ErrorObject): void {
    this.#finish();
    answerError(this.#exchange, 400, error.message, { code: error.code });
  }
}

const eventOf = (text: string): string => `event: message\ndata: ${withoutSeparators(text)}\n\n`;
