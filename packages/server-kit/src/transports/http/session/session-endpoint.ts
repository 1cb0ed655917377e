// SessionEndpoint: serves POST, GET and DELETE of the handshake era, for sessions of one process and of several.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Auth } from "../../../protocol/auth.ts";
import { find } from "../../../revisions/index.ts";
import { expectsAnswer, type IncomingMessage } from "../../../runtime/classify.ts";
import { INVALID_PARAMS, isObject } from "../../../wire/json-rpc.ts";
import type { HostedSession, SessionHost } from "../endpoints.ts";
import { checkResponses } from "../guard/ongoing-work.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpCounts, HttpLimits } from "../http-limits.ts";
import { HttpReply } from "../http-reply.ts";
import { checkAcceptsEvents } from "../media-types.ts";
import { accept, HttpError, JSON_HEADERS, respondAccepted } from "../responses.ts";
import { checkStreamCount, noSession } from "./session-rules.ts";

export class SessionEndpoint {
  readonly #host: SessionHost;
  readonly #limits: Readonly<HttpLimits>;

  constructor(host: SessionHost, limits: Readonly<HttpLimits>) {
    this.#host = host;
    this.#limits = limits;
  }

  async post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    const isOpening = message.kind === "request" && message.value.method === "initialize";
    const id = sessionIdOf(exchange, isOpening);
    if (id === undefined) return this.#initialize(exchange, message, auth);
    const found = await this.#host.find(id, auth?.principal);
    if (found === undefined && isOpening) return this.#initialize(exchange, message, auth);
    const session = checkSession(exchange, found);
    checkResponses(exchange, message, (id) => this.#host.mayChange(session, id));
    if (!expectsAnswer(message)) return this.#accept(exchange, session, message, auth);
    checkStreamCount(session, this.#limits);
    const reply = new HttpReply(exchange, await this.#host.replyTo(session, message), auth, hasProgressToken(message));
    session.connection.handle(message, reply);
    reply.wait();
  }

  async #initialize(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    const { caller } = exchange;
    if (caller !== undefined) caller.checkSessions(await (this.#host.countOf?.(caller.name) ?? this.#sessionsOf(caller.name).length));
    if (this.#host.isFull)
      throw new HttpError(503, "Server busy: too many sessions. Retry later.", { limit: "all-sessions", headers: ["Retry-After", "30"] });
    const { text, id } = await this.#host.initialize(message, auth, caller);
    exchange.respond(200, id === undefined ? JSON_HEADERS : [...JSON_HEADERS, "Mcp-Session-Id", id], text);
  }

  #sessionsOf(caller: string): HostedSession[] {
    return [...this.#host].filter((session) => session.caller === caller);
  }

  /** Takes notifications and responses, which get no response of their own: the status is 202. */
  async #accept(exchange: HttpExchange, session: HostedSession, message: IncomingMessage, auth: Auth | undefined): Promise<void> {
    if (message.kind === "ignored" && "method" in message.value)
      throw new HttpError(400, "Invalid params: expected an object.", { code: INVALID_PARAMS });
    await this.#host.beforeMessage?.(session, message);
    const refusal = accept(session.connection, message, { auth, notify: () => undefined, complete: () => undefined });
    await this.#host.afterMessage?.(session, message);
    respondAccepted(exchange, refusal);
  }

  async get(exchange: HttpExchange, auth: Auth | undefined): Promise<void> {
    checkAcceptsEvents(exchange.headers);
    const session = await this.#find(exchange, auth);
    const { caller } = exchange;
    caller?.checkStreams(this.#sessionsOf(caller.name).reduce((sum, { streamCount }) => sum + streamCount, 0));
    await this.#host.read(session, exchange, exchange.headers.lastEventId);
  }

  async delete(exchange: HttpExchange, auth: Auth | undefined): Promise<void> {
    await this.#host.end(await this.#find(exchange, auth));
    exchange.respond(204, []);
  }

  async #find(exchange: HttpExchange, auth: Auth | undefined): Promise<HostedSession> {
    const id = sessionIdOf(exchange);
    return checkSession(exchange, id === undefined ? undefined : await this.#host.find(id, auth?.principal));
  }

  /** Called by the clock: starts streams for slow responses, and lets the host look after its sessions. */
  tick(now: number): void {
    const { silentMs, streams } = this.#limits;
    for (const reply of this.#host.replies) {
      if (reply.isSilent(now, silentMs) && reply.host.streamCount < streams) reply.startStream();
    }
    this.#host.tick(now);
  }

  counts(): HttpCounts {
    const counts = { sessions: 0, streams: 0, running: 0 };
    for (const { streamCount, connection } of this.#host) {
      counts.sessions++;
      counts.streams += streamCount;
      counts.running += connection.running;
    }
    return counts;
  }

  close(graceMs: number): Promise<void> {
    return this.#host.close(graceMs);
  }
}

/** The session that a request names; undefined for an `initialize` that names none. */
function sessionIdOf({ headers }: HttpExchange, isOpening = false): string | undefined {
  const { sessionId, protocolVersion } = headers;
  if (protocolVersion !== undefined && find(protocolVersion) === undefined)
    throw new HttpError(400, "Unknown MCP-Protocol-Version header.");
  if (sessionId === undefined && !isOpening)
    throw new HttpError(400, "Missing Mcp-Session-Id header: expected the id from the initialize response.");
  return sessionId;
}

function checkSession({ headers: { protocolVersion } }: HttpExchange, session: HostedSession | undefined): HostedSession {
  if (session === undefined) throw noSession();
  if (protocolVersion !== undefined && protocolVersion !== session.connection.revision?.id)
    throw new HttpError(400, "Wrong MCP-Protocol-Version header: expected the version negotiated for this session.");
  return session;
}

/** Whether a message asks for progress, which needs an event stream. */
function hasProgressToken(message: IncomingMessage): boolean {
  if (message.kind === "batch") return message.messages.some(hasProgressToken);
  const meta = message.kind === "request" ? message.value.params?._meta : undefined;
  return isObject(meta) && meta.progressToken !== undefined;
}
