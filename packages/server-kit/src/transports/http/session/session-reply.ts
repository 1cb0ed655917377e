// The way back of one POST in a session: one JSON body, or an event stream as soon as something is said before the answer.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
import type { Channel } from "../../../server/channel.ts";
import type { Roster } from "../../../server/roster.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { INTERNAL_ERROR, type ErrorObject } from "../../../wire/json-rpc.ts";
import { answerError, EVENT_HEADERS, JSON_HEADERS } from "../responses.ts";
import type { EventStream } from "../event-stream.ts";
import type { HttpExchange } from "../exchange.ts";
import type { HttpSession } from "./session-store.ts";

/** The first event of a stream, with nothing in it but its id; undefined where the revision has no such thing. */
export type Prime = ((id: string) => string) | undefined;

/** Replies that have no byte on the wire yet. */
export type Silent = Roster<Reply>;

export class Reply implements Channel {
  /** Its place among the silent ones. */
  slot = -1;
  readonly auth: Auth | undefined;
  /** When the request came. */
  readonly since = performance.now();
  readonly #exchange: HttpExchange;
  readonly session: HttpSession;
  readonly #prime: Prime;
  readonly #silent: Silent;
  /** The client wants events in any case. */
  readonly #streams: boolean;
  #stream: EventStream | undefined;
  #gone = false;
  #done = false;

  constructor(
    exchange: HttpExchange,
    session: HttpSession,
    options: { auth: Auth | undefined; prime: Prime; silent: Silent; streams: boolean },
  ) {
    this.#exchange = exchange;
    this.session = session;
    this.auth = options.auth;
    this.#prime = options.prime;
    this.#silent = options.silent;
    this.#streams = options.streams;
  }

  /** The request is under way: its answer will take longer than this turn. */
  wait(): void {
    if (this.#done || this.#stream !== undefined) return;
    if (this.#streams) return void this.begin();
    this.#silent.add(this);
    // Who leaves does not cancel: the work goes on, only its answer finds nobody.
    this.#exchange.onGone = () => {
      this.#gone = true;
      this.#silent.delete(this);
    };
  }

  /** Begins the event stream, unless there is one. */
  begin(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#silent.delete(this);
    const stream = this.session.streams.open();
    this.#stream = stream;
    if (!this.#gone) stream.attach(this.#exchange.stream(EVENT_HEADERS), this.#prime);
    return stream;
  }

  notify(text: string): void {
    if (!this.#done) this.session.streams.add(this.begin(), text);
  }

  complete(text: string | undefined): void {
    if (this.#done) return;
    this.#done = true;
    this.session.seen = performance.now();
    if (this.#stream === undefined && !(this.#streams && text !== undefined)) {
      this.#silent.delete(this);
      // A cancelled request has no answer: what would carry it just ends.
      return this.#gone ? undefined : this.#exchange.answer(200, text === undefined ? EVENT_HEADERS : JSON_HEADERS, text);
    }
    if (this.#stream === undefined && !this.#gone && text !== undefined) {
      this.#silent.delete(this);
      return this.#exchange.answer(200, EVENT_HEADERS, this.session.streams.whole(text, this.#prime));
    }
    this.session.streams.finish(this.begin(), text);
  }

  refuse(error: ErrorObject): void {
    this.#done = true;
    answerError(this.#exchange, error.code === INTERNAL_ERROR ? 500 : 400, error.message, { code: error.code });
  }
}
