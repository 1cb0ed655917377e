// SessionStore: the sessions of one process. Their ids are random, each belongs to the principal that opened it, their number is bounded,
// and idle ones end.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import type { Auth } from "../../../protocol/auth.ts";
import type { IncomingMessage } from "../../../runtime/classify.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { Id } from "../../../wire/json-rpc.ts";
import type { Caller } from "../caller.ts";
import type { SessionHost } from "../endpoints.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import { HttpError } from "../responses.ts";
import { EventBudget } from "./event-budget.ts";
import { HttpSession, type SessionParts, type SessionReply } from "./http-session.ts";
import { checkStreamCount, initialize, streamComplete, unknownEvent } from "./session-rules.ts";

const IDLE_CHECK_MS = 5000;

export class SessionStore implements SessionHost<HttpSession> {
  readonly replies = new Set<SessionReply>();
  readonly #limits: Readonly<HttpLimits>;
  readonly #parts: SessionParts;
  readonly #byId = new Map<string, HttpSession>();
  #idleCheckedAt = 0;

  constructor(runtime: Runtime, limits: Readonly<HttpLimits>) {
    this.#limits = limits;
    this.#parts = { runtime, limits, budget: new EventBudget(limits.allEventBytes), replies: this.replies };
  }

  get isFull(): boolean {
    return this.#byId.size >= this.#limits.sessions;
  }

  [Symbol.iterator](): IterableIterator<HttpSession> {
    return this.#byId.values();
  }

  /** Creates a session, which requests find once it was added. */
  create(principal: string | undefined, caller?: string): HttpSession {
    return new HttpSession({ principal, caller }, this.#parts);
  }

  add(session: HttpSession): void {
    this.#byId.set(session.id, session);
  }

  async initialize(message: IncomingMessage, auth: Auth | undefined, caller?: Caller): Promise<{ text: string | undefined; id?: string }> {
    const session = this.create(auth?.principal, caller?.name);
    try {
      const text = await initialize(session.connection, message, auth);
      if (session.connection.revision === undefined) return { text };
      caller?.checkSessions(Array.from(this).filter((one) => one.caller === caller.name).length);
      this.add(session);
      return { text, id: session.id };
    } finally {
      if (!this.#byId.has(session.id)) session.connection.close();
    }
  }

  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    session.lastUsedAt = performance.now();
    return session;
  }

  end(session: HttpSession): void {
    if (!this.#byId.delete(session.id)) return;
    session.connection.close("closed");
    session.streams.close();
  }

  mayChange({ connection }: HttpSession, id: Id): boolean {
    return connection.session?.requests.mayChange(id) === true;
  }

  // ── streams ───────────────────────────────────────────────────────────────────────────────────────────────────────

  replyTo(session: HttpSession): HttpSession {
    return session;
  }

  read(session: HttpSession, exchange: HttpExchange, lastEventId: string | undefined): void {
    if (lastEventId !== undefined) return this.#resume(session, exchange, lastEventId);
    const { standing } = session.streams;
    if (!standing.isConnected) checkStreamCount(session, this.#limits);
    else if (!standing.mayBeLost(performance.now()))
      throw new HttpError(409, "Stream already open: expected at most one GET stream for each session. Retry if its connection is lost.");
    standing.connect(exchange, session.firstEvent);
  }

  /** Continues a stream after the last event that the client received. */
  #resume(session: HttpSession, exchange: HttpExchange, lastEventId: string): void {
    const [, key, number] = /^(\d{1,9})-(\d{1,12})$/.exec(lastEventId) ?? [];
    const { streams } = session;
    const stream = key === undefined ? undefined : streams.get(Number(key));
    if (stream?.endsWith(Number(number)) ?? streams.isForgotten(Number(key))) throw streamComplete();
    if (stream?.canResumeAfter(Number(number)) !== true) throw unknownEvent();
    if (!stream.isConnected) checkStreamCount(session, this.#limits);
    stream.connect(exchange, session.firstEvent, Number(number));
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  tick(now: number): void {
    for (const session of this) if (session.streamCount > 0) this.#tickStreams(session, now);
    if (now - this.#idleCheckedAt < IDLE_CHECK_MS) return;
    this.#idleCheckedAt = now;
    this.endIdle(now);
  }

  #tickStreams(session: HttpSession, now: number): void {
    const isResumable = session.firstEvent !== undefined;
    for (const stream of session.streams) stream.tick(now, this.#limits, isResumable && stream !== session.streams.standing);
  }

  endIdle(now: number): void {
    const { idleMs, unreadyMs } = this.#limits;
    for (const session of this.#byId.values()) {
      const { connection, streams } = session;
      if (connection.running > 0 || streams.connectedCount > 0) session.lastUsedAt = now;
      else if (now - session.lastUsedAt >= (connection.ready ? idleMs : unreadyMs)) this.end(session);
    }
  }

  async close(graceMs: number): Promise<void> {
    for (const { streams } of this) streams.standing.disconnect();
    await Promise.all(Array.from(this, ({ connection }) => connection.finish(graceMs, "shutdown")));
    for (const session of this) this.end(session);
  }
}
