// ClusterHost: keeps the sessions of the handshake era on every node of a server.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Id } from "@oarlock/server-kit/protocol";
import { checkStreamCount, type HttpExchange, type IncomingMessage, type SessionHost } from "@oarlock/server-kit/transport";
import { fromEngine } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import { type ClientResponses, mayChange } from "./client-responses.ts";
import { type ClusterReply, ClusterReplyHost } from "./cluster-reply.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { ClusterSessions } from "./cluster-sessions.ts";
import type { LogReader } from "./log-reader.ts";
import { checkResumption, endIfGone } from "./resumption.ts";

/** Clients come back within this time, not all at the same moment. */
const MAX_RETURN_MS = 1000;

const IDLE_CHECK_MS = 20;

export class ClusterHost extends ClusterSessions implements SessionHost<ClusterSession> {
  readonly replies = new Set<ClusterReply>();
  readonly #responses: ClientResponses;
  #checkedAt = 0;
  /** Requests whose session is looked up: they have no reply yet. */
  #arriving = 0;

  /** `byKey` gets the sessions that this node serves. */
  constructor(node: NodeContext, byKey: Map<string, ClusterSession>, responses: ClientResponses) {
    super(node, byKey);
    this.#responses = responses;
  }

  /** A node that stops waits for it: without its session, the request would be answered with 404, and the client would throw the session away. */
  override async find(id: string, principal: string | undefined): Promise<ClusterSession | undefined> {
    this.#arriving++;
    try {
      return await super.find(id, principal);
    } finally {
      setTimeout(() => this.#arriving--, 0); // by then it has its reply
    }
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  mayChange(_session: ClusterSession, id: Id): boolean {
    return mayChange(id);
  }

  async beforeMessage(session: ClusterSession, message: IncomingMessage): Promise<void> {
    await this.#responses.forward(session, message);
  }

  async afterMessage(session: ClusterSession, message: IncomingMessage): Promise<void> {
    await Promise.all([session.saved && fromEngine(session.saved), this.#responses.forwardCancellations(session, message)]);
  }

  async replyTo(session: ClusterSession, message: IncomingMessage): Promise<ClusterReplyHost> {
    await fromEngine(this.node.lease.acquire());
    return new ClusterReplyHost({ node: this.node, session, message, open: this.replies });
  }

  async read(session: ClusterSession, exchange: HttpExchange, lastEventId: string | undefined): Promise<void> {
    const point = lastEventId === undefined ? undefined : await checkResumption(session.log, lastEventId);
    await fromEngine(this.node.lease.acquire());
    if (point === undefined || point.stream === 0) return this.#readStanding(exchange, session, point?.position);
    // A client that resumes a stream replaces its reader.
    for (const reader of session.log.readers) if (reader.stream === point.stream) reader.disconnect();
    checkStreamCount(session, this.node.limits);
    const reader = session.connect(exchange);
    reader.open();
    reader.begin(point.stream, point.position);
    reader.prime();
    await reader.read();
    await endIfGone(this.node.lease, session.log, point.stream).catch(() => undefined); // the clock tries again
  }

  async #readStanding(exchange: HttpExchange, session: ClusterSession, after: number | undefined): Promise<void> {
    checkStreamCount(session, this.node.limits);
    const begin = await fromEngine(session.standing.takeOver(after));
    const reader = session.connect(exchange);
    reader.open();
    begin(reader);
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Keeps connections alive, forgets idle sessions, looks after dead nodes. */
  override tick(now: number): void {
    for (const { log } of this) for (const reader of log.readers) reader.tick(now, this.node.limits);
    super.tick(now);
    if (now - this.#checkedAt < this.node.times.leaseMs / 3) return;
    this.#checkedAt = now;
    for (const session of this) {
      const streams = new Set([...session.log.readers].filter(({ isOwn }) => !isOwn).map(({ stream = 0 }) => stream));
      for (const stream of streams) void endIfGone(this.node.lease, session.log, stream).catch(() => undefined); // the clock tries again
    }
  }

  /** The lease was lost: clients come back elsewhere, and what they were reading here may have been ended there. */
  letGo(): void {
    for (const reply of [...this.replies]) if (reply.stream !== undefined) reply.host.abandon(reply);
    for (const { log } of this) for (const reader of [...log.readers]) reader.disconnect();
  }

  /**
   * Lets the readers of streams go, so that they go on elsewhere, waits for requests and new sessions within the grace time, and ends those that still run
   * with an error. What was written has some time to get into the log.
   */
  async close(graceMs: number): Promise<void> {
    const sessions = [...this];
    for (const { log } of sessions) for (const reader of [...log.readers]) redirect(reader);
    const end = performance.now() + graceMs;
    while (this.replies.size + this.#arriving + this.beginning > 0 && performance.now() < end)
      await sleep(Math.min(IDLE_CHECK_MS, graceMs));
    for (const reply of this.replies) reply.host.giveUp(reply);
    const additions = sessions.flatMap(({ log }) => [...log.additions]);
    await Promise.race([Promise.all(additions), sleep(this.node.times.responseWaitMs)]);
    for (const session of sessions) session.close("shutdown");
  }
}

/** Ends a connection whose stream the client can resume on another node. */
function redirect(reader: LogReader): void {
  if (reader.isResumable) reader.prime(Math.ceil(Math.random() * MAX_RETURN_MS));
  if (reader.isResumable || reader.stream === 0) reader.disconnect();
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
