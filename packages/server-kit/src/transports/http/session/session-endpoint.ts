// What POST, GET and DELETE mean for sessions (handshake era).
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Runtime } from "../../../server/endpoint.ts";
import { Roster } from "../../../server/roster.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { find } from "../../../revisions/index.ts";
import { INVALID_PARAMS, isObject, kindOf, type Json } from "../../../wire/json-rpc.ts";
import { answerError, EVENT_HEADERS, JSON_HEADERS } from "../responses.ts";
import type { HttpExchange } from "../exchange.ts";
import { acceptsEvents } from "../request-headers.ts";
import type { HttpLimits } from "../http-limits.ts";
import { Reply, type Prime, type Silent } from "./session-reply.ts";
import { Sessions, type HttpSession } from "./session-store.ts";

const SWEEP_MS = 5000;

export class SessionRules {
  readonly #limits: Readonly<HttpLimits>;
  readonly #sessions: Sessions;
  readonly #silent: Silent = new Roster();
  #swept = 0;

  constructor(endpoint: Runtime, limits: Readonly<HttpLimits>) {
    this.#limits = limits;
    this.#sessions = new Sessions(endpoint, limits);
  }

  post(exchange: HttpExchange, message: unknown, auth: Auth | undefined): void {
    const { fields } = exchange;
    if (isObject(message) && message.method === "initialize" && kindOf(message) === "request") {
      const known = fields.session === undefined ? undefined : this.#sessions.find(fields.session, auth?.principal);
      if (known === undefined) return this.#open(exchange, message, auth);
    }
    const session = this.#find(exchange, auth);
    if (session === undefined) return;
    const { connection } = session;
    if (!wantsAnswer(message)) {
      if (isObject(message) && kindOf(message) === "ignored" && "method" in message) {
        return answerError(exchange, 400, "params: expected an object", { code: INVALID_PARAMS });
      }
      // Nothing of it can fail but its being a message at all.
      let refused = false;
      connection.take(message, {
        auth,
        notify: () => undefined,
        complete: () => undefined,
        refuse: ({ code, message: why }) => {
          refused = true;
          answerError(exchange, 400, why, { code });
        },
      });
      return refused ? undefined : exchange.answer(202, []);
    }
    if (this.#crowded(session)) return this.#tooMany(exchange);
    const reply = new Reply(exchange, session, {
      auth,
      prime: this.#primeOf(session),
      silent: this.#silent,
      streams: asksForProgress(message),
    });
    connection.take(message, reply);
    reply.wait();
  }

  /** `initialize`: only when it was answered well is there a session. */
  #open(exchange: HttpExchange, message: Json, auth: Auth | undefined): void {
    const { version } = exchange.fields;
    // The header is not asked for here, but clients send it.
    if (version !== undefined && find(version) === undefined) return answerError(exchange, 400, "MCP-Protocol-Version: no such revision");
    if (this.#sessions.full) return answerError(exchange, 503, "Too many sessions; try again later", { headers: ["Retry-After", "30"] });
    const session = this.#sessions.make(auth?.principal);
    session.connection.take(message, {
      auth,
      notify: () => undefined,
      complete: (text) => {
        const opened = session.connection.revision !== undefined;
        if (opened) this.#sessions.keep(session);
        else session.connection.close();
        exchange.answer(200, opened ? [...JSON_HEADERS, "Mcp-Session-Id", session.id] : JSON_HEADERS, text);
      },
      refuse: ({ code, message: why }) => answerError(exchange, 400, why, { code }),
    });
  }

  /** The session that a request names; undefined when it is answered already. */
  #find(exchange: HttpExchange, auth: Auth | undefined): HttpSession | undefined {
    const { session: id, version } = exchange.fields;
    if (version !== undefined && find(version) === undefined) {
      return answerError(exchange, 400, "MCP-Protocol-Version: no such revision");
    }
    if (id === undefined) return answerError(exchange, 400, "Mcp-Session-Id: expected the id that initialize was answered with");
    const session = this.#sessions.find(id, auth?.principal);
    if (session === undefined) return answerError(exchange, 404, "There is no such session; initialize again");
    if (version !== undefined && version !== session.connection.revision?.id) {
      return answerError(exchange, 400, "MCP-Protocol-Version: not the revision that this session settled on");
    }
    return session;
  }

  #crowded({ streams }: HttpSession): boolean {
    // Counting costs, so only when there may be that many.
    return streams.size >= this.#limits.streams && streams.reading >= this.#limits.streams;
  }

  #tooMany(exchange: HttpExchange): void {
    answerError(exchange, 429, `More than ${this.#limits.streams} streams in this session`);
  }

  #primeOf({ connection }: HttpSession): Prime {
    if (connection.revision?.facts.primingEvent !== true) return undefined;
    const { retryMs } = this.#limits;
    return (id) => `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
  }

  get(exchange: HttpExchange, auth: Auth | undefined): void {
    if (!acceptsEvents(exchange.fields.accept)) return answerError(exchange, 406, "Accept: expected text/event-stream");
    const session = this.#find(exchange, auth);
    if (session === undefined) return;
    const { lastEventId } = exchange.fields;
    if (lastEventId !== undefined) return this.#resume(exchange, session, lastEventId);
    const { standing } = session.streams;
    if (standing.open) return answerError(exchange, 409, "This session has its stream already");
    if (this.#crowded(session)) return this.#tooMany(exchange);
    standing.attach(exchange.stream(EVENT_HEADERS), this.#primeOf(session));
  }

  /** Whoever lost a connection goes on behind the last event that it got. */
  #resume(exchange: HttpExchange, session: HttpSession, lastEventId: string): void {
    const [, key, number] = /^(\d{1,9})-(\d{1,12})$/.exec(lastEventId) ?? [];
    const { streams } = session;
    const stream = key === undefined ? undefined : streams.get(Number(key));
    // Nothing will follow. Of the two answers that a GET may get this is the one that all clients take as the end; on an
    // empty stream they come back for ever.
    if (stream?.isOver(Number(number)) ?? streams.wasThere(Number(key))) {
      return answerError(exchange, 405, "Last-Event-ID: this stream has ended", { headers: ["Allow", "POST, DELETE"] });
    }
    if (stream?.knows(Number(number)) !== true) return answerError(exchange, 400, "Last-Event-ID: no stream can be taken up from there");
    if (!stream.open && this.#crowded(session)) return this.#tooMany(exchange);
    stream.attach(exchange.stream(EVENT_HEADERS), this.#primeOf(session), Number(number));
  }

  delete(exchange: HttpExchange, auth: Auth | undefined): void {
    const session = this.#find(exchange, auth);
    if (session === undefined) return;
    this.#sessions.end(session);
    exchange.answer(204, []);
  }

  tick(now: number): void {
    const { keepAliveMs, silentMs, stalledMs, streamMs } = this.#limits;
    for (const reply of [...this.#silent]) {
      if (now - reply.since >= silentMs && !this.#crowded(reply.session)) reply.begin();
    }
    for (const session of this.#sessions) {
      if (session.streams.reading === 0) continue;
      for (const stream of session.streams) {
        if (!stream.open) continue;
        if (stream.blocked !== 0 && now - stream.blocked >= stalledMs) stream.cut();
        else if (streamMs > 0 && stream.key > 0 && now - stream.since >= streamMs && this.#primeOf(session) !== undefined) stream.letGo();
        else if (now - stream.written >= keepAliveMs) stream.keepAlive();
      }
    }
    if (now - this.#swept < SWEEP_MS) return;
    this.#swept = now;
    this.#sessions.sweep(now);
  }

  counts(): { sessions: number; streams: number; running: number } {
    let streams = 0;
    let running = 0;
    for (const session of this.#sessions) {
      streams += session.streams.reading;
      running += session.connection.running;
    }
    return { sessions: this.#sessions.size, streams, running };
  }

  async close(graceMs: number): Promise<void> {
    const all = [...this.#sessions];
    for (const { streams } of all) streams.standing.letGo();
    await Promise.all(all.map(({ connection }) => connection.finish(graceMs)));
    for (const session of all) this.#sessions.end(session);
  }
}

/** Whether there is a request in it; what is no message is refused on the way that notifications go. */
function wantsAnswer(message: unknown): boolean {
  if (Array.isArray(message)) return message.length === 0 || message.some((one) => wantsAnswer(one) || kindOf(one) === "invalid");
  const kind = kindOf(message);
  return kind === "request" || kind === "bad-params";
}

function asksForProgress(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(asksForProgress);
  const meta = isObject(message) && isObject(message.params) ? message.params._meta : undefined;
  return isObject(meta) && meta.progressToken !== undefined;
}
