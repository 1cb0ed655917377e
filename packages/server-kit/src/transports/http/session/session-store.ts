// SessionStore: the sessions of the handshake era. Their ids are random, each belongs to the principal that opened it, their
// number is bounded, and idle ones end.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import { Connection } from "../../../runtime/connection.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { errorText } from "../../../wire/json-rpc.ts";
import type { HttpLimits } from "../http-limits.ts";
import { randomId } from "../random-id.ts";
import { EventBudget } from "./event-budget.ts";
import { SessionStreams } from "./session-streams.ts";

export interface HttpSession {
  readonly id: string;
  readonly principal: string | undefined;
  readonly connection: Connection;
  readonly streams: SessionStreams;
  /** By `performance.now()`. */
  lastUsedAt: number;
}

export class SessionStore {
  readonly #runtime: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #budget: EventBudget;
  readonly #byId = new Map<string, HttpSession>();

  constructor(runtime: Runtime, limits: Readonly<HttpLimits>) {
    this.#runtime = runtime;
    this.#limits = limits;
    this.#budget = new EventBudget(limits.allEventBytes);
  }

  get size(): number {
    return this.#byId.size;
  }

  get isFull(): boolean {
    return this.#byId.size >= this.#limits.sessions;
  }

  [Symbol.iterator](): IterableIterator<HttpSession> {
    return this.#byId.values();
  }

  /** Creates a session, which requests find once it was added. */
  create(principal: string | undefined): HttpSession {
    const streams = new SessionStreams(this.#limits, this.#budget);
    const send = (text: string): void => streams.send(streams.standing, text);
    const connection = new Connection(this.#runtime, {
      get open() {
        return streams.standing.isConnected;
      },
      notify: send,
      complete: (text) => text !== undefined && send(text),
      refuse: (error) => send(errorText(null, error)),
    });
    return { id: randomId(), principal, connection, streams, lastUsedAt: performance.now() };
  }

  add(session: HttpSession): void {
    this.#byId.set(session.id, session);
  }

  /** The session with this id; undefined when another principal opened it, as if there were none. */
  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    session.lastUsedAt = performance.now();
    return session;
  }

  /** Ends a session and all its work. */
  end(session: HttpSession): void {
    if (!this.#byId.delete(session.id)) return;
    session.connection.close("closed");
    session.streams.close();
  }

  /** Ends sessions that have been idle for too long. */
  endIdle(now: number): void {
    const { idleMs, unreadyMs } = this.#limits;
    for (const session of this.#byId.values()) {
      const { connection, streams } = session;
      if (connection.running > 0 || streams.connectedCount > 0) session.lastUsedAt = now;
      else if (now - session.lastUsedAt >= (connection.ready ? idleMs : unreadyMs)) this.end(session);
    }
  }
}
