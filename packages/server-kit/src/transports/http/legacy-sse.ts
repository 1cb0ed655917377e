// LegacySse: the HTTP+SSE transport of 2024-11-05. GET /sse opens a stream for all messages to
// the client; POST /messages takes the messages from it. https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
import type { Auth } from "../../protocol/auth.ts";
import type { IncomingMessage } from "../../runtime/classify.ts";
import { Connection } from "../../runtime/connection.ts";
import { pipeChannel, type Channel } from "../../runtime/request/channel.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { EventStream } from "./event-stream.ts";
import { checkResponses } from "./guard/ongoing-work.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { HttpCounts, HttpLimits } from "./http-limits.ts";
import { checkAcceptsEvents } from "./media-types.ts";
import { randomId } from "./random-id.ts";
import { accept, HttpError, respondAccepted } from "./responses.ts";

const STREAM_PATH = "/sse";
const MESSAGE_PATH = "/messages";

interface LegacyClient {
  readonly principal: string | undefined;
  readonly connection: Connection;
  readonly stream: EventStream;
  readonly channel: Channel;
}

export class LegacySse {
  readonly #runtime: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #clients = new Map<string, LegacyClient>();

  constructor(runtime: Runtime, limits: Readonly<HttpLimits>) {
    this.#runtime = runtime;
    this.#limits = limits;
  }

  counts(): HttpCounts {
    const { size } = this.#clients;
    return {
      sessions: size,
      streams: size,
      running: [...this.#clients.values()].reduce((sum, { connection }) => sum + connection.running, 0),
    };
  }

  /** The method of one of the two paths; undefined for other paths. */
  methodOf(path: string): "GET" | "POST" | undefined {
    return path === STREAM_PATH ? "GET" : path === MESSAGE_PATH ? "POST" : undefined;
  }

  /** Opens the stream of a new client, which is connected as long as the stream is. */
  get(exchange: HttpExchange, auth: Auth | undefined): void {
    checkAcceptsEvents(exchange.headers);
    if (this.#clients.size >= this.#limits.sessions) throw new HttpError(503, "Server busy: too many connections. Retry later.");
    const id = randomId();
    const stream = new EventStream({ key: 0, maxPending: this.#limits.eventBytes });
    const channel = pipeChannel((text) => stream.send(text), { caller: exchange.caller?.name });
    this.#clients.set(id, { principal: auth?.principal, connection: new Connection(this.#runtime, channel), stream, channel });
    stream.listener = { disconnected: () => this.#end(id) };
    // Relative to the address that the client has connected to: a proxy may have put a prefix before the paths.
    stream.connect(exchange, () => `event: endpoint\ndata: ${MESSAGE_PATH.slice(1)}?sessionId=${id}\n\n`);
  }

  post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void {
    const client = this.#clients.get(new URLSearchParams(exchange.query).get("sessionId") ?? "");
    if (client === undefined || client.principal !== auth?.principal) throw new HttpError(404, "Session not found.");
    checkResponses(exchange, message, (id) => client.connection.session?.requests.mayChange(id) === true);
    respondAccepted(exchange, accept(client.connection, message, { ...client.channel, auth, http: exchange.http }));
  }

  #end(id: string): void {
    const client = this.#clients.get(id);
    if (client === undefined) return;
    this.#clients.delete(id);
    client.connection.close("closed");
    client.stream.disconnect();
  }

  tick(now: number): void {
    for (const { stream } of this.#clients.values()) stream.tick(now, this.#limits);
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ connection }) => connection.finish(graceMs, "shutdown")));
    for (const id of this.#clients.keys()) this.#end(id);
  }
}
