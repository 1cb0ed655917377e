// Streamable HTTP without sessions: each request is a POST of its own, whose headers say what it is. Closing it cancels it, and
// what breaks is not taken up again. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
import { isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import type { Carrier, Outgoing } from "../../connection/transport.ts";
import { asError, BadAnswer, Interrupted } from "../../errors.ts";
import { PROTOCOL_VERSION } from "../../stateless/envelope.ts";
import { encoded } from "../../stateless/parameter-headers.ts";
import { DISCOVER } from "../../negotiation/discovery.ts";
import { answerAlone } from "./error-body.ts";
import { dropBody, mediaType, wholeText } from "./response-body.ts";
import type { Door } from "./http-endpoint.ts";
import { readEvents } from "./event-stream.ts";
import { Exchange } from "./http-exchange.ts";
import type { HttpOptions } from "./streamable-http.ts";

/** A message without an answer is accepted within this time, or lost. */
const ACCEPT_MS = 30_000;

/** The member of params that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

export class Alone implements Carrier {
  readonly alone = true;
  onText: Carrier["onText"];
  onClose: Carrier["onClose"];
  onLost: NonNullable<Carrier["onLost"]> = () => undefined;
  readonly #door: Door;
  readonly #options: HttpOptions;
  readonly #exchanges = new Map<Id, Exchange>();
  readonly #closing = new AbortController();
  /** Named by the last request, for messages that name none themselves. */
  #revision = "";

  constructor(door: Door, options: HttpOptions) {
    this.#door = door;
    this.#options = options;
  }

  caller(): Promise<string | undefined> {
    return this.#door.currentToken();
  }

  send(text: string, { id, method, params, headers }: Outgoing = {}): void {
    if (this.#closing.signal.aborted || method === undefined) return;
    const all = { ...headers, ...this.#headersOf(method, params) };
    if (id === undefined) return void this.#notify(text, method, all);
    const exchange = new Exchange(id, method, text);
    this.#exchanges.set(id, exchange);
    void this.#ask(exchange, all);
  }

  #headersOf(method: string, params: Json = {}): Record<string, string> {
    const version = isObject(params._meta) ? params._meta[PROTOCOL_VERSION] : undefined;
    if (typeof version === "string") this.#revision = version;
    const name = params[NAMED[method] ?? ""];
    return {
      "mcp-protocol-version": this.#revision,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": encoded(name) }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  over(id: Id, givenUp: boolean): void {
    this.#exchanges.get(id)?.finish(givenUp);
  }

  async #ask(exchange: Exchange, headers: Readonly<Record<string, string>>): Promise<void> {
    const { id, text, signal } = exchange;
    try {
      await this.#take(exchange, await this.#door.ask({ method: "POST", headers, body: text, signal }));
    } catch (error) {
      this.onLost(id, asError(error));
    } finally {
      exchange.abort();
      this.#exchanges.delete(id);
    }
  }

  async #take(exchange: Exchange, response: Response): Promise<void> {
    const { id, method, signal } = exchange;
    const type = mediaType(response);
    if (!response.ok) {
      const { error, body } = await this.#door.refusal("POST", response);
      const answer = saysNothing(error.status, method) ? undefined : answerAlone(id, body);
      if (answer === undefined) throw error;
      this.onText?.(answer);
    } else if (type === "text/event-stream" && response.body !== null) {
      const event = (name: string, data: string): void => {
        if (name === "message" && data !== "") this.onText?.(data);
      };
      const why = await readEvents(response.body, { event }, signal);
      if (!exchange.over)
        throw new Interrupted(`The stream of ${method} ended before its answer${why === undefined ? "" : `: ${this.#door.reason(why)}`}`);
    } else if (type === "application/json") this.onText?.(await this.#whole(response));
    else await dropBody(response);
    if (!exchange.over) throw new BadAnswer(`The server took ${method} with ${response.status}, and gave no answer to it`);
  }

  async #whole(response: Response): Promise<string> {
    try {
      return await wholeText(response);
    } catch (error) {
      if (error instanceof BadAnswer) throw error;
      throw new Interrupted(`The answer broke off: ${this.#door.reason(error)}`);
    }
  }

  async #notify(text: string, method: string, headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ACCEPT_MS)]);
      const response = await this.#door.ask({ method: "POST", headers, body: text, signal });
      if (!response.ok) throw (await this.#door.refusal("POST", response)).error;
      await dropBody(response);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.onFault?.(`${method}: ${asError(error).message}`);
    }
  }

  /** There is nobody to say goodbye to. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new Error("The connection was closed"));
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.onClose?.();
  }
}

/** Whether a status is no word on the request, whatever its body says: who asks is not let in, or the server cannot just now. */
function saysNothing(status: number, method: string): boolean {
  if (status < 400 || status >= 500 || [401, 402, 403, 407, 408].includes(status)) return true;
  // Who asks too often hears that from the server; but it does not tell how the server speaks.
  return status === 429 && method === DISCOVER;
}
