// The endpoint pair of 2024-11-05, for clients that know nothing else: a stream that everything comes by, and an address
// that everything goes to. https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
import type { Connection } from "../../server/connection.ts";
import type { Runtime } from "../../server/endpoint.ts";
import type { Auth } from "../../protocol/auth.ts";
import { errorText } from "../../wire/json-rpc.ts";
import { answerError, EVENT_HEADERS } from "./responses.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpExchange } from "./exchange.ts";
import { acceptsEvents } from "./request-headers.ts";
import type { HttpLimits } from "./http-limits.ts";
import { randomId } from "./session/session-store.ts";

const STREAM_PATH = "/sse";
const MESSAGE_PATH = "/messages";

interface Open {
  readonly principal: string | undefined;
  readonly connection: Connection;
  readonly stream: EventStream;
  send(text: string): void;
}

export class LegacySse {
  readonly #endpoint: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #all = new Map<string, Open>();

  constructor(endpoint: Runtime, limits: Readonly<HttpLimits>) {
    this.#endpoint = endpoint;
    this.#limits = limits;
  }

  get size(): number {
    return this.#all.size;
  }

  get running(): number {
    return [...this.#all.values()].reduce((sum, { connection }) => sum + connection.running, 0);
  }

  /** The one verb of a path of ours. */
  verbOf(path: string): "GET" | "POST" | undefined {
    return path === STREAM_PATH ? "GET" : path === MESSAGE_PATH ? "POST" : undefined;
  }

  /** A new connection, which lasts as long as the stream does. */
  open(exchange: HttpExchange, auth: Auth | undefined): void {
    if (!acceptsEvents(exchange.fields.accept)) return answerError(exchange, 406, "Accept: expected text/event-stream");
    if (this.#all.size >= this.#limits.sessions) return answerError(exchange, 503, "Too many connections; try again later");
    const id = randomId();
    const stream = new EventStream(0);
    const send = (text: string): void => {
      stream.add(text);
      stream.pump();
      // Nothing is taken up again here, so what was written is not kept, and a reader that lags too far behind is cut off.
      stream.forget(this.#limits.eventBytes);
      if (!stream.open) this.#end(id);
    };
    const connection = this.#endpoint.connect({
      notify: send,
      complete: (text) => text !== undefined && send(text),
      refuse: (error) => send(errorText(null, error)),
    });
    this.#all.set(id, { principal: auth?.principal, connection, stream, send });
    const sink = exchange.stream(EVENT_HEADERS);
    // A path and no more: where the client has connected to is not ours to say.
    stream.attach(sink, () => `event: endpoint\ndata: ${MESSAGE_PATH}?sessionId=${id}\n\n`);
    const { onGone } = sink;
    sink.onGone = () => {
      onGone?.();
      this.#end(id);
    };
  }

  post(exchange: HttpExchange, message: unknown, auth: Auth | undefined): void {
    const open = this.#all.get(new URLSearchParams(exchange.query).get("sessionId") ?? "");
    if (open === undefined || open.principal !== auth?.principal) return answerError(exchange, 404, "There is no such session");
    let refused = false;
    open.connection.take(message, {
      auth,
      notify: open.send,
      complete: (text) => text !== undefined && open.send(text),
      refuse: ({ code, message: why }) => {
        refused = true;
        answerError(exchange, 400, why, { code });
      },
    });
    if (!refused) exchange.answer(202, []);
  }

  #end(id: string): void {
    const open = this.#all.get(id);
    if (open === undefined) return;
    this.#all.delete(id);
    open.connection.close("closed");
    open.stream.letGo();
  }

  tick(now: number): void {
    const { keepAliveMs, stalledMs } = this.#limits;
    for (const [id, { stream }] of this.#all) {
      if (stream.blocked !== 0 && now - stream.blocked >= stalledMs) {
        stream.cut();
        this.#end(id);
      } else if (now - stream.written >= keepAliveMs) stream.keepAlive();
    }
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ connection }) => connection.finish(graceMs)));
    for (const id of [...this.#all.keys()]) this.#end(id);
  }
}
