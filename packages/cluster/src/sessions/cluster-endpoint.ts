// ClusterEndpoint: serves POST, GET and DELETE of the handshake era on every node of a server.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Auth } from "@oarlock/server-kit";
import type { ErrorObject } from "@oarlock/server-kit/protocol";
import {
  checkNotification,
  checkReadsEvents,
  checkResponses,
  checkSessionVersion,
  checkStreamCount,
  checkVersion,
  expectsAnswer,
  HttpError,
  HttpReply,
  noSessionId,
  respondInitialize,
  respondRefusal,
  tooManySessions,
  type HttpExchange,
  type IncomingMessage,
  type SessionCounts,
  type SessionService,
} from "@oarlock/server-kit/transport";
import { fromEngine } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import { type ClientResponses, mayChange } from "./client-responses.ts";
import { type ClusterReply, ClusterReplyHost } from "./cluster-reply.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { ClusterSessions } from "./cluster-sessions.ts";
import { drain } from "./drain.ts";
import { LogReader } from "./log-reader.ts";
import { checkResumption, endIfGone } from "./resumption.ts";

export class ClusterEndpoint implements SessionService {
  readonly #node: NodeContext;
  readonly #sessions: ClusterSessions;
  readonly #responses: ClientResponses;
  readonly #replies = new Set<ClusterReply>();
  #checkedAt = 0;

  /** `byKey` gets the sessions that this node serves. */
  constructor(node: NodeContext, byKey: Map<string, ClusterSession>, responses: ClientResponses) {
    this.#node = node;
    this.#responses = responses;
    this.#sessions = new ClusterSessions(node, byKey);
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    const session = await this.#find(exchange, message, auth);
    if (session === undefined) return this.#initialize(exchange, message, auth);
    checkResponses(exchange, message, mayChange);
    if (!expectsAnswer(message)) return this.#accept(exchange, session, message, auth);
    this.#checkStreamCount(session);
    await fromEngine(this.#node.lease.acquire());
    const host = new ClusterReplyHost({
      node: this.#node,
      session,
      message,
      exceedsRate: await session.exceedsRate(message),
      open: this.#replies,
      connect: (one) => this.#connect(one, session),
    });
    const reply = new HttpReply(exchange, host, auth);
    session.connection.handle(message, reply);
    reply.wait();
  }

  async #initialize(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    if (this.#sessions.isFull) throw tooManySessions();
    const { text, id } = await this.#sessions.initialize(message, auth);
    respondInitialize(exchange, text, id);
  }

  /** Takes notifications and responses, which get no response of their own. */
  async #accept(exchange: HttpExchange, session: ClusterSession, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    checkNotification(message);
    await this.#responses.forward(session, message);
    let refusal: ErrorObject | undefined;
    session.connection.handle(message, {
      auth,
      notify: () => undefined,
      complete: () => undefined,
      refuse: (error) => (refusal = error),
    });
    await Promise.all([session.saved && fromEngine(session.saved), this.#responses.forwardCancellations(session, message)]);
    if (refusal === undefined) exchange.respond(202, []);
    else respondRefusal(exchange, refusal);
  }

  async get(exchange: HttpExchange, auth: Auth | undefined): Promise<void> {
    checkReadsEvents(exchange.headers);
    const { lastEventId } = exchange.headers;
    const session = await this.#find(exchange, undefined, auth);
    if (session === undefined) return;
    const point = lastEventId === undefined ? undefined : await checkResumption(session, lastEventId);
    await fromEngine(this.#node.lease.acquire());
    if (point === undefined || point.stream === 0) return this.#readStanding(exchange, session, point?.position);
    // A client that resumes a stream replaces its reader.
    for (const reader of session.log.readers) if (reader.stream === point.stream) reader.disconnect();
    this.#checkStreamCount(session);
    const reader = this.#connect(exchange, session);
    reader.open();
    reader.begin(point.stream, point.position);
    reader.prime();
    await reader.read();
    await endIfGone(this.#node, session, point.stream).catch(() => undefined); // the clock tries again
  }

  async #readStanding(exchange: HttpExchange, session: ClusterSession, after: number | undefined): Promise<void> {
    this.#checkStreamCount(session);
    const begin = await fromEngine(session.standing.takeOver(after));
    const reader = this.#connect(exchange, session);
    reader.open();
    begin(reader);
  }

  async delete(exchange: HttpExchange, auth: Auth | undefined): Promise<void> {
    const session = await this.#find(exchange, undefined, auth);
    if (session !== undefined) await this.#sessions.end(session);
    exchange.respond(204, []);
  }

  // ── checks ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The session that a request names; undefined for an `initialize` that opens one. */
  async #find(exchange: HttpExchange, message: IncomingMessage | undefined, auth: Auth | undefined): Promise<ClusterSession | undefined> {
    const { sessionId } = exchange.headers;
    checkVersion(exchange.headers);
    const opens = message?.kind === "request" && message.value.method === "initialize";
    if (sessionId === undefined && opens) return undefined;
    if (sessionId === undefined) throw noSessionId();
    try {
      const session = await this.#sessions.find(sessionId, auth?.principal);
      if (!opens) checkSessionVersion(exchange.headers, session.connection);
      return session;
    } catch (error) {
      if (opens && error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    }
  }

  #canOpenStream({ log }: ClusterSession): boolean {
    return log.readers.size < this.#node.limits.streams;
  }

  #checkStreamCount({ log }: ClusterSession): void {
    checkStreamCount(log.readers.size, this.#node.limits.streams);
  }

  #connect(exchange: HttpExchange, session: ClusterSession): LogReader {
    const { backplane, limits } = this.#node;
    const reader = new LogReader(exchange, {
      backplane,
      key: session.identity.key,
      maxPending: limits.eventBytes,
      retryMs: session.connection.revision?.facts.primingEvent === true ? limits.retryMs : undefined,
      onEnd: (ended) => {
        session.log.readers.delete(ended);
        session.standing.disconnected(ended);
      },
    });
    session.log.readers.add(reader);
    return reader;
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Called by the clock: starts streams for slow responses, keeps connections alive, forgets idle sessions, looks after dead nodes. */
  tick(now: number): void {
    const { limits, times } = this.#node;
    for (const reply of this.#replies) {
      if (reply.isSilent(now, limits.silentMs) && this.#canOpenStream(reply.host.session)) reply.startStream();
    }
    for (const session of this.#sessions) for (const reader of session.log.readers) this.#tickReader(reader, now);
    this.#sessions.tick(now);
    if (now - this.#checkedAt < times.leaseMs / 3) return;
    this.#checkedAt = now;
    for (const session of this.#sessions) {
      const streams = new Set([...session.log.readers].filter(({ isOwn }) => !isOwn).map(({ stream = 0 }) => stream));
      for (const stream of streams) void endIfGone(this.#node, session, stream).catch(() => undefined); // the clock tries again
    }
  }

  #tickReader(reader: LogReader, now: number): void {
    const { limits } = this.#node;
    const isExpired = limits.streamMs > 0 && reader.isResumable && reader.stream !== 0 && now - reader.connectedAt >= limits.streamMs;
    if (isExpired && !reader.isBlocked) reader.disconnect();
    else reader.tick(now, limits);
  }

  counts(): SessionCounts {
    let [streams, running] = [0, 0];
    for (const { log, connection } of this.#sessions) {
      streams += log.readers.size;
      running += connection.running;
    }
    return { sessions: this.#sessions.size, streams, running };
  }

  /** The lease was lost: clients come back elsewhere, and what they were reading here may have been ended there. */
  letGo(): void {
    for (const reply of [...this.#replies]) if (reply.stream !== undefined) reply.host.abandon(reply);
    for (const session of this.#sessions) for (const reader of [...session.log.readers]) reader.disconnect();
  }

  /** Lets clients go that can come back elsewhere, and lets requests end within the time. */
  async close(graceMs: number): Promise<void> {
    await drain([...this.#sessions], this.#replies, graceMs, this.#node.times.responseWaitMs);
  }
}
