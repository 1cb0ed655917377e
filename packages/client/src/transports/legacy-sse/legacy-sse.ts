// HTTP+SSE, the transport before Streamable HTTP: one stream brings everything, and names the address to post to.
// https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
import type { Carrier, Outgoing } from "../../connection/transport.ts";
import { asError, BadAnswer, HandshakeFailed, Interrupted } from "../../errors.ts";
import { dropBody, mediaType } from "../http/response-body.ts";
import type { Door } from "../http/http-endpoint.ts";
import { readEvents } from "../http/event-stream.ts";
import { Order } from "../http/send-queue.ts";
import type { HttpOptions } from "../http/streamable-http.ts";

/** The revision that is asked for here. */
export const OLD_PAIR_REVISION = "2024-11-05";

export class OldPair implements Carrier {
  onText: Carrier["onText"];
  onClose: Carrier["onClose"];
  onLost: NonNullable<Carrier["onLost"]> = () => undefined;
  /** The server has this transport: it named an address. */
  found = false;
  /** An address that we post to. */
  #named = false;
  readonly #door: Door;
  readonly #options: HttpOptions;
  readonly #order = new Order();
  readonly #closing = new AbortController();
  readonly #endpoint = Promise.withResolvers<URL>();
  #open = false;
  #closed = false;

  constructor(door: Door, options: HttpOptions) {
    this.#door = door;
    this.#options = options;
    this.#endpoint.promise.catch(() => undefined);
  }

  send(text: string, { id, method }: Outgoing = {}): void {
    if (this.#closing.signal.aborted) return;
    if (!this.#open) void this.#read();
    this.#open = true;
    const post = (): Promise<void> => this.#post(text);
    if (id !== undefined && method !== undefined) {
      this.#order
        .idle()
        .then(post)
        .catch((error: unknown) => this.onLost(id, asError(error)));
    } else this.#order.line(() => post().catch((error: unknown) => this.#fault(method ?? "an answer of ours", error)));
  }

  async close(): Promise<void> {
    const limit = AbortSignal.timeout(this.#options.graceMs ?? 5000);
    const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
    if (this.found) await Promise.race([this.#order.idle(), late]);
    this.#end();
  }

  /** The one stream: while it lasts, the session does. */
  async #read(): Promise<void> {
    try {
      const { signal } = this.#closing;
      const response = await this.#door.ask({ method: "GET", headers: { accept: "text/event-stream" }, signal });
      if (!response.ok) throw (await this.#door.refusal("GET", response)).error;
      if (response.body === null || mediaType(response) !== "text/event-stream") {
        await dropBody(response);
        throw new BadAnswer("The server has no stream of events at this address");
      }
      const why = await readEvents(response.body, { event: (name, data) => this.#event(name, data) }, signal);
      throw new Interrupted(`The server's stream ended${why === undefined ? "" : `: ${this.#door.reason(why)}`}`);
    } catch (error) {
      // Whoever waits to post hears it; after that it is the end of the connection.
      this.#endpoint.reject(error);
      if (this.#named) this.#end(asError(error));
    }
  }

  #event(name: string, data: string): void {
    if (name === "message" && data !== "") this.onText?.(data);
    if (name !== "endpoint" || this.found) return;
    this.found = true;
    const endpoint = URL.parse(data, this.#door.url.href);
    // It would get the token, and all that is said.
    if (endpoint?.origin !== this.#door.url.origin) throw new HandshakeFailed("The server names an address of another origin to post to");
    for (const value of endpoint.searchParams.values()) this.#door.hide(value);
    this.#named = true;
    this.#endpoint.resolve(endpoint);
  }

  async #post(text: string): Promise<void> {
    const { signal } = this.#closing;
    const url = await this.#endpoint.promise;
    const response = await this.#door.ask({ method: "POST", url, headers: { "content-type": "application/json" }, body: text, signal });
    if (!response.ok) throw (await this.#door.refusal("POST", response)).error;
    await dropBody(response);
  }

  #fault(what: string, error: unknown): void {
    if (!this.#closing.signal.aborted) this.#options.onFault?.(`${what}: ${asError(error).message}`);
  }

  #end(error?: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort(error ?? new Error("The connection was closed"));
    this.onClose?.(error);
  }
}
