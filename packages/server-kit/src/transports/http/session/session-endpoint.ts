// SessionEndpoint: serves POST, GET and DELETE of the handshake era.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Auth } from "../../../protocol/auth.ts";
import { expectsAnswer, type IncomingMessage } from "../../../runtime/classify.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { SessionCounts, SessionService } from "../endpoints.ts";
import { primingEvent, type FirstEvent } from "../event-stream.ts";
import { checkResponses } from "../guard/ongoing-work.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import { accept, HttpError, respondRefusal } from "../responses.ts";
import {
  checkNotification,
  checkReadsEvents,
  checkSessionVersion,
  checkStreamCount,
  checkVersion,
  hasProgressToken,
  noSession,
  noSessionId,
  respondInitialize,
  streamComplete,
  tooManySessions,
  unknownEvent,
} from "./session-rules.ts";
import { HttpReply } from "../http-reply.ts";
import { SessionReplyHost, type SessionReply } from "./session-reply.ts";
import { SessionStore, type HttpSession } from "./session-store.ts";

const IDLE_CHECK_MS = 5000;

export class SessionEndpoint implements SessionService {
  readonly #limits: Readonly<HttpLimits>;
  readonly #sessions: SessionStore;
  readonly #openReplies = new Set<SessionReply>();
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
    const host = new SessionReplyHost(session, { priming, open: this.#openReplies, alwaysStreams: hasProgressToken(message) });
    const reply = new HttpReply(exchange, host, auth);
    session.connection.handle(message, reply);
    reply.wait();
  }

  /** Opens a session, which stays only when `initialize` succeeds. */
  #initialize(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void {
    checkVersion(exchange.headers); // not required here, but clients send it
    if (this.#sessions.isFull) throw tooManySessions();
    const session = this.#sessions.create(auth?.principal);
    session.connection.handle(message, {
      auth,
      notify: () => undefined,
      complete: (text) => {
        const isOpen = session.connection.revision !== undefined;
        if (isOpen) this.#sessions.add(session);
        else session.connection.close();
        respondInitialize(exchange, text, isOpen ? session.id : undefined);
      },
      refuse: (error) => respondRefusal(exchange, error),
    });
  }

  /** Takes notifications and responses, which get no response of their own. */
  #accept(exchange: HttpExchange, { connection }: HttpSession, message: IncomingMessage, auth: Auth | undefined): void {
    checkNotification(message);
    accept(exchange, connection, message, { auth, notify: () => undefined, complete: () => undefined });
  }

  get(exchange: HttpExchange, auth: Auth | undefined): void {
    checkReadsEvents(exchange.headers);
    const { lastEventId } = exchange.headers;
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
    if (stream?.endsWith(Number(number)) ?? streams.isForgotten(Number(key))) throw streamComplete();
    if (stream?.canResumeAfter(Number(number)) !== true) throw unknownEvent();
    if (!stream.isConnected) this.#checkStreamCount(session);
    stream.connect(exchange, this.#primingOf(session), Number(number));
  }

  delete(exchange: HttpExchange, auth: Auth | undefined): void {
    this.#sessions.end(this.#find(exchange, auth));
    exchange.respond(204, []);
  }

  // ── checks ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The session that a request names. */
  #find({ headers }: HttpExchange, auth: Auth | undefined): HttpSession {
    checkVersion(headers);
    if (headers.sessionId === undefined) throw noSessionId();
    const session = this.#sessions.find(headers.sessionId, auth?.principal);
    if (session === undefined) throw noSession();
    checkSessionVersion(headers, session.connection);
    return session;
  }

  #canOpenStream({ streams }: HttpSession): boolean {
    return streams.connectedCount < this.#limits.streams;
  }

  #checkStreamCount({ streams }: HttpSession): void {
    checkStreamCount(streams.connectedCount, this.#limits.streams);
  }

  /** The priming event, in revisions that have one. */
  #primingOf({ connection }: HttpSession): FirstEvent | undefined {
    if (connection.revision?.facts.primingEvent !== true) return undefined;
    return (id) => primingEvent(id, this.#limits.retryMs);
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Called by the clock: starts streams for slow responses, keeps connections alive, ends idle sessions. */
  tick(now: number): void {
    const { silentMs } = this.#limits;
    for (const reply of this.#openReplies) {
      if (reply.isSilent(now, silentMs) && this.#canOpenStream(reply.host.session)) reply.startStream();
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
