// SessionEndpoint: serves POST, GET and DELETE of the handshake era.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Auth } from "../../../protocol/auth.ts";
import { find } from "../../../revisions/index.ts";
import { expectsAnswer, type IncomingMessage } from "../../../server/classify.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { INVALID_PARAMS, isObject } from "../../../wire/json-rpc.ts";
import type { SessionCounts, SessionService } from "../endpoints.ts";
import type { FirstEvent } from "../event-stream.ts";
import { checkResponses } from "../guard/ongoing-work.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import { acceptsEvents } from "../media-types.ts";
import { accept, HttpError, JSON_HEADERS, respondRefusal } from "../responses.ts";
import { SessionReply } from "./session-reply.ts";
import { SessionStore, type HttpSession } from "./session-store.ts";

const IDLE_CHECK_MS = 5000;

export class SessionEndpoint implements SessionService {
  readonly #limits: Readonly<HttpLimits>;
  readonly #sessions: SessionStore;
  /** Replies without a byte on the wire. */
  readonly #waiting = new Set<SessionReply>();
  #idleCheckedAt = 0;

  constructor(runtime: Runtime, limits: Readonly<HttpLimits>) {
    this.#limits = limits;
    this.#sessions = new SessionStore(runtime, limits);
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void {
    const { sessionId } = exchange.headers;
    const isKnown = sessionId !== undefined && this.#sessions.find(sessionId, auth?.principal) !== undefined;
    if (!isKnown && message.kind === "request" && message.value.method === "initialize") {
      return this.#initialize(exchange, message, auth);
    }
    const session = this.#find(exchange, auth);
    checkResponses(exchange, message, (id) => session.connection.session?.requests.mayChange(id) === true);
    if (!expectsAnswer(message)) return this.#accept(exchange, session, message, auth);
    this.#checkStreamCount(session);
    const priming = this.#primingOf(session);
    const reply = new SessionReply(exchange, session, { auth, priming, waiting: this.#waiting, alwaysStreams: hasProgressToken(message) });
    session.connection.handle(message, reply);
    reply.wait();
  }

  /** Opens a session, which stays only when `initialize` succeeds. */
  #initialize(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void {
    const { protocolVersion } = exchange.headers;
    // Not required here, but clients send it.
    if (protocolVersion !== undefined) checkVersion(protocolVersion);
    if (this.#sessions.isFull) {
      throw new HttpError(503, "Server busy: too many sessions. Retry later.", { headers: ["Retry-After", "30"] });
    }
    const session = this.#sessions.create(auth?.principal);
    session.connection.handle(message, {
      auth,
      notify: () => undefined,
      complete: (text) => {
        const isOpen = session.connection.revision !== undefined;
        if (isOpen) this.#sessions.add(session);
        else session.connection.close();
        exchange.respond(200, isOpen ? [...JSON_HEADERS, "Mcp-Session-Id", session.id] : JSON_HEADERS, text);
      },
      refuse: (error) => respondRefusal(exchange, error),
    });
  }

  /** Takes notifications and responses, which get no response of their own. */
  #accept(exchange: HttpExchange, { connection }: HttpSession, message: IncomingMessage, auth: Auth | undefined): void {
    if (message.kind === "ignored" && "method" in message.value) {
      throw new HttpError(400, "Invalid params: expected an object.", { code: INVALID_PARAMS });
    }
    accept(exchange, connection, message, { auth, notify: () => undefined, complete: () => undefined });
  }

  get(exchange: HttpExchange, auth: Auth | undefined): void {
    const { accept, lastEventId } = exchange.headers;
    if (!acceptsEvents(accept)) throw new HttpError(406, "Accept header not supported: expected text/event-stream.");
    const session = this.#find(exchange, auth);
    if (lastEventId !== undefined) return this.#resume(exchange, session, lastEventId);
    const { standing } = session.streams;
    if (standing.isConnected) throw new HttpError(409, "Stream already open: expected at most one GET stream for each session.");
    this.#checkStreamCount(session);
    standing.connect(exchange, this.#primingOf(session));
  }

  /** Continues a stream after the last event that the client received. */
  #resume(exchange: HttpExchange, session: HttpSession, lastEventId: string): void {
    const [, key, number] = /^(\d{1,9})-(\d{1,12})$/.exec(lastEventId) ?? [];
    const { streams } = session;
    const stream = key === undefined ? undefined : streams.get(Number(key));
    // All clients take 405 as the end of a stream; after an empty stream they would reconnect for ever.
    if (stream?.endsWith(Number(number)) ?? streams.isForgotten(Number(key))) {
      throw new HttpError(405, "Stream already complete: no event follows this Last-Event-ID.", { headers: ["Allow", "POST, DELETE"] });
    }
    if (stream?.canResumeAfter(Number(number)) !== true) {
      throw new HttpError(400, "Unknown Last-Event-ID: no stream of this session can be resumed from there.");
    }
    if (!stream.isConnected) this.#checkStreamCount(session);
    stream.connect(exchange, this.#primingOf(session), Number(number));
  }

  delete(exchange: HttpExchange, auth: Auth | undefined): void {
    this.#sessions.end(this.#find(exchange, auth));
    exchange.respond(204, []);
  }

  // ── checks ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The session that a request names. */
  #find({ headers: { sessionId, protocolVersion } }: HttpExchange, auth: Auth | undefined): HttpSession {
    if (protocolVersion !== undefined) checkVersion(protocolVersion);
    if (sessionId === undefined) throw new HttpError(400, "Missing Mcp-Session-Id header: expected the id from the initialize response.");
    const session = this.#sessions.find(sessionId, auth?.principal);
    if (session === undefined) throw new HttpError(404, "Session not found. Initialize again.");
    if (protocolVersion !== undefined && protocolVersion !== session.connection.revision?.id) {
      throw new HttpError(400, "Wrong MCP-Protocol-Version header: expected the version negotiated for this session.");
    }
    return session;
  }

  #canOpenStream({ streams }: HttpSession): boolean {
    return streams.connectedCount < this.#limits.streams;
  }

  #checkStreamCount(session: HttpSession): void {
    if (this.#canOpenStream(session)) return;
    throw new HttpError(429, `Too many streams: expected at most ${this.#limits.streams} in a session. Close one.`);
  }

  /** The priming event, in revisions that have one. */
  #primingOf({ connection }: HttpSession): FirstEvent | undefined {
    if (connection.revision?.facts.primingEvent !== true) return undefined;
    return (id) => `id: ${id}\nretry: ${this.#limits.retryMs}\ndata: \n\n`;
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Called by the clock: starts streams for slow responses, keeps connections alive, ends idle sessions. */
  tick(now: number): void {
    const { silentMs } = this.#limits;
    for (const reply of this.#waiting) {
      if (now - reply.startedAt >= silentMs && this.#canOpenStream(reply.session)) reply.startStream();
    }
    for (const session of this.#sessions) {
      if (session.streams.connectedCount > 0) this.#tickStreams(session, now);
    }
    if (now - this.#idleCheckedAt < IDLE_CHECK_MS) return;
    this.#idleCheckedAt = now;
    this.#sessions.endIdle(now);
  }

  #tickStreams(session: HttpSession, now: number): void {
    const { streamMs } = this.#limits;
    const canReconnect = streamMs > 0 && this.#primingOf(session) !== undefined;
    for (const stream of session.streams) {
      if (!stream.isConnected) continue;
      const isExpired = canReconnect && stream !== session.streams.standing && now - stream.connectedAt >= streamMs;
      if (isExpired && !stream.isBlocked) stream.disconnect();
      else stream.tick(now, this.#limits);
    }
  }

  counts(): SessionCounts {
    let streams = 0;
    let running = 0;
    for (const session of this.#sessions) {
      streams += session.streams.connectedCount;
      running += session.connection.running;
    }
    return { sessions: this.#sessions.size, streams, running };
  }

  async close(graceMs: number): Promise<void> {
    const all = [...this.#sessions];
    for (const { streams } of all) streams.standing.disconnect();
    await Promise.all(all.map(({ connection }) => connection.finish(graceMs, "shutdown")));
    for (const session of all) this.#sessions.end(session);
  }
}

/** Throws an HttpError on a version that no revision has. */
export function checkVersion(version: string): void {
  if (find(version) === undefined) throw new HttpError(400, "Unknown MCP-Protocol-Version header.");
}

/** Whether a message asks for progress, which needs an event stream. */
export function hasProgressToken(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(hasProgressToken);
  const meta = message.kind === "request" ? message.value.params?._meta : undefined;
  return isObject(meta) && meta.progressToken !== undefined;
}
