// Streamable HTTP: each message is a POST of its own; what the server says meanwhile comes on streams.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Id } from "@oarlock/server-kit/protocol";
import type { Carrier, Outgoing } from "../../connection/transport.ts";
import { asError, BadAnswer, HttpRefused, Interrupted } from "../../errors.ts";
import { isAnswerTo } from "./error-body.ts";
import { dropBody, mediaType, wholeText, type Body } from "./response-body.ts";
import type { Door } from "./http-endpoint.ts";
import { Exchange } from "./http-exchange.ts";
import { follow } from "./resumable-stream.ts";
import { Order } from "./send-queue.ts";
import { headersOf, isExpired, Sessions, type Session } from "./session.ts";

export interface HttpOptions {
  /** Longest time for saying goodbye when closing, in milliseconds. Default 5,000. */
  graceMs?: number;
  onFault?: ((what: string) => void) | undefined;
}

/** A message without an answer is accepted within this time, or lost. */
const ACCEPT_MS = 30_000;

export class Streamable implements Carrier {
  onText: Carrier["onText"];
  onClose: Carrier["onClose"];
  onLost: NonNullable<Carrier["onLost"]> = () => undefined;
  readonly #door: Door;
  readonly #options: HttpOptions;
  readonly #order = new Order();
  readonly #sessions = new Sessions();
  readonly #exchanges = new Map<Id, Exchange>();
  readonly #closing = new AbortController();
  /** Ends the stream that belongs to no request. */
  #standing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(door: Door, options: HttpOptions) {
    this.#door = door;
    this.#options = options;
  }

  set onExpired(shakeHands: () => Promise<void>) {
    this.#sessions.shakeHands = shakeHands;
  }

  send(text: string, { id, method }: Outgoing = {}): void {
    if (this.#closed !== undefined) return;
    if (method === undefined) void this.#accepted(text).catch((error: unknown) => this.#fault("an answer of ours", error));
    else if (id === undefined) this.#notify(text, method);
    else {
      const exchange = new Exchange(id, method, text);
      this.#exchanges.set(id, exchange);
      void this.#ask(exchange);
    }
  }

  over(id: Id, givenUp: boolean): void {
    this.#exchanges.get(id)?.finish(givenUp);
  }

  agreed(revision: string): void {
    this.#sessions.agreed(revision);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#shutDown());
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async #ask(exchange: Exchange): Promise<void> {
    const { id, method, text, signal } = exchange;
    try {
      if (method === "initialize") {
        const response = await this.#post(text, {}, signal);
        const session = this.#sessions.offer(response);
        if (session.id !== undefined) this.#door.hide(session.id);
        await this.#take(exchange, response, session);
      } else {
        await this.#order.idle();
        // Given up before it left.
        if (!exchange.over) await this.#askIn(this.#sessions.current, exchange);
      }
    } catch (error) {
      this.onLost(id, asError(error));
    } finally {
      exchange.abort();
      this.#exchanges.delete(id);
    }
  }

  /** Asks in this session; once more in a new one when the server has forgotten it. */
  async #askIn(session: Session, exchange: Exchange): Promise<void> {
    const { text, signal } = exchange;
    const response = await this.#post(text, headersOf(session), signal);
    if (!isExpired(response, session)) return this.#take(exchange, response, session);
    await dropBody(response);
    await this.#renew(session);
    await this.#order.idle();
    const renewed = this.#sessions.current;
    if (!exchange.over) await this.#take(exchange, await this.#post(text, headersOf(renewed), signal), renewed);
  }

  async #take(exchange: Exchange, response: Response, session: Session): Promise<void> {
    const { id, method, signal } = exchange;
    const type = mediaType(response);
    if (!response.ok) {
      const { error, body } = await this.#door.refusal("POST", response);
      if (error.status === 401 || error.status === 403 || !isAnswerTo(id, body)) throw error;
      this.onText?.(body);
    } else if (type === "text/event-stream" && response.body !== null) {
      await follow(response.body, {
        text: (text) => this.onText?.(text),
        open: (lastId) => this.#open(session, lastId, signal),
        wanted: () => !exchange.over,
        onlyBehind: true,
        signal,
      });
    } else if (type === "application/json") this.onText?.(await wholeText(response));
    else await dropBody(response);
    if (!exchange.over) throw new BadAnswer(`The server took ${method} with ${response.status}, and gave no answer to it`);
  }

  #post(text: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const all = { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" };
    return this.#door.ask({ method: "POST", headers: all, body: text, signal });
  }

  // ── what has no answer ────────────────────────────────────────────────────────────────────────────────────────────

  #notify(text: string, method: string): void {
    this.#order.line(async () => {
      const session = this.#sessions.current;
      const ready = method === "notifications/initialized";
      try {
        const accepted = await this.#accepted(text);
        if (accepted && ready) void this.#stand(session);
        // Standing in line itself, it cannot wait for the new session; it is said once more when that is there.
        if (!accepted) this.#renewLater(session, ready ? undefined : () => this.#notify(text, method));
      } catch (error) {
        this.#fault(method, error);
      }
    });
  }

  /** Posts a message that gets no answer; false when the server has forgotten the session. */
  async #accepted(text: string): Promise<boolean> {
    const session = this.#sessions.current;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ACCEPT_MS)]);
    const response = await this.#post(text, headersOf(session), signal);
    const expired = isExpired(response, session);
    if (!response.ok && !expired) throw (await this.#door.refusal("POST", response)).error;
    await dropBody(response);
    return !expired;
  }

  // ── streams of the server ─────────────────────────────────────────────────────────────────────────────────────────

  /** The stream for what belongs to no request; a server may have none. */
  async #stand(session: Session): Promise<void> {
    this.#standing.abort();
    const { signal } = (this.#standing = new AbortController());
    if (this.#closed !== undefined) return;
    try {
      await follow(undefined, {
        text: (text) => this.onText?.(text),
        open: (lastId) => this.#open(session, lastId, signal),
        wanted: () => !signal.aborted && this.#closed === undefined,
        onlyBehind: false,
        signal,
      });
    } catch (error) {
      if (error instanceof HttpRefused && error.status === 405) return;
      if (!signal.aborted) this.#fault("the standing stream", error);
    }
  }

  /** Opens a stream by GET. What may be better at the next try is given as an error, all else is thrown. */
  async #open(session: Session, lastId: string | undefined, signal: AbortSignal): Promise<Body | Error> {
    const headers = { ...headersOf(session), accept: "text/event-stream", ...(lastId !== undefined && { "last-event-id": lastId }) };
    let response: Response;
    try {
      response = await this.#door.ask({ method: "GET", headers, signal });
    } catch (error) {
      if (error instanceof Interrupted) return error;
      throw error;
    }
    if (response.ok && response.body !== null && mediaType(response) === "text/event-stream") return response.body;
    const { error } = await this.#door.refusal("GET", response);
    if (isExpired(response, session)) {
      this.#renewLater(session);
      throw new Interrupted("The server has forgotten the session before it answered");
    }
    // 409: it has not noticed yet that the stream is broken.
    if (error.status >= 500 || error.status === 409 || error.status === 429) return error;
    throw error;
  }

  // ── session ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async #renew(lost: Session): Promise<void> {
    await this.#sessions.renew(lost, (through) => {
      this.#standing.abort();
      this.#order.line(() => through);
    });
  }

  #renewLater(lost: Session, then?: () => void): void {
    this.#renew(lost).then(then, (error: unknown) => this.#fault("a new session", error));
  }

  #fault(what: string, error: unknown): void {
    if (this.#closed === undefined) this.#options.onFault?.(`${what}: ${asError(error).message}`);
  }

  /** What was said is let through, the server is told that the session is not needed any more, and what is open is ended. */
  async #shutDown(): Promise<void> {
    const limit = AbortSignal.timeout(this.#options.graceMs ?? 5000);
    const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
    await Promise.race([this.#order.idle(), late]);
    const session = this.#sessions.open;
    if (session.id !== undefined) {
      // A server may keep its sessions for itself, or be gone.
      await this.#door
        .ask({ method: "DELETE", headers: headersOf(session), signal: limit })
        .then(dropBody)
        .catch(() => undefined);
    }
    this.#closing.abort(new Error("The connection was closed"));
    this.#standing.abort();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.onClose?.();
  }
}
