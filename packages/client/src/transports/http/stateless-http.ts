// Streamable HTTP of stateless revisions: each request is a POST whose headers repeat its method and name. Closing the POST cancels
// the request; an interrupted stream is not resumed.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
import { isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import type { OutgoingMessage, Transport } from "../../connection/transport.ts";
import { asError, InterruptedError } from "../../errors.ts";
import { DISCOVER, PROTOCOL_VERSION } from "../../meta-keys.ts";
import { statelessErrorResponse } from "./error-body.ts";
import { readEvents } from "./event-stream.ts";
import { encodeHeaderValue } from "./header-value.ts";
import type { HttpEndpoint } from "./http-endpoint.ts";
import { HttpExchange } from "./http-exchange.ts";
import { discardBody, mediaType, noResponse } from "./response-body.ts";
import { ACCEPT_TIMEOUT_MS, type HttpOptions } from "./streamable-http.ts";

/** The member of params that the header `Mcp-Name` repeats. */
const NAME_MEMBERS: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

export class StatelessHttp implements Transport {
  readonly network = "tcp";
  readonly isStateless = true;
  onText: Transport["onText"];
  onClose: Transport["onClose"];
  onRequestLost: NonNullable<Transport["onRequestLost"]> = () => undefined;
  readonly #endpoint: HttpEndpoint;
  readonly #options: HttpOptions;
  readonly #exchanges = new Map<Id, HttpExchange>();
  readonly #closing = new AbortController();
  /** The revision of the latest request, for notifications, which do not carry one. */
  #revision = "";

  constructor(endpoint: HttpEndpoint, options: HttpOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
  }

  cacheIdentity(): Promise<string | undefined> {
    return this.#endpoint.cacheIdentity();
  }

  send(text: string, { id, method, params, headers }: OutgoingMessage = {}): void {
    if (this.#closing.signal.aborted || method === undefined) return;
    const allHeaders = { ...headers, ...this.#headersOf(method, params) };
    if (id === undefined) return void this.#sendNotification(text, method, allHeaders);
    const exchange = new HttpExchange(id, method, text);
    this.#exchanges.set(id, exchange);
    void this.#sendRequest(exchange, allHeaders);
  }

  #headersOf(method: string, params: Json = {}): Record<string, string> {
    const version = isObject(params._meta) ? params._meta[PROTOCOL_VERSION] : undefined;
    if (typeof version === "string") this.#revision = version;
    const name = params[NAME_MEMBERS[method] ?? ""];
    return {
      "mcp-protocol-version": this.#revision,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  requestSettled(id: Id, isAbandoned: boolean): void {
    this.#exchanges.get(id)?.settle(isAbandoned);
  }

  async #sendRequest(exchange: HttpExchange, headers: Readonly<Record<string, string>>): Promise<void> {
    const { id, text, signal } = exchange;
    try {
      await this.#receive(exchange, await this.#endpoint.request({ method: "POST", headers, body: text, signal }));
    } catch (error) {
      this.onRequestLost(id, asError(error));
    } finally {
      exchange.abort();
      this.#exchanges.delete(id);
    }
  }

  async #receive(exchange: HttpExchange, response: Response): Promise<void> {
    const { method, signal } = exchange;
    const type = mediaType(response);
    if (!response.ok) await this.#receiveError(exchange, response);
    else if (type === "text/event-stream" && response.body !== null) {
      const onEvent = (name: string, data: string): void => {
        if (name === "message" && data !== "") this.onText?.(data);
      };
      const failure = await readEvents(response.body, { onEvent }, signal);
      if (!exchange.isSettled) {
        const reason = failure === undefined ? "" : `: ${this.#endpoint.describeError(failure)}`;
        throw new InterruptedError(`The stream of ${method} ended before its response${reason}`);
      }
    } else if (type === "application/json") this.onText?.(await this.#endpoint.readText(response));
    else await discardBody(response);
    if (!exchange.isSettled) throw noResponse(method, response);
  }

  async #receiveError({ id, method }: HttpExchange, response: Response): Promise<void> {
    const { error, body } = await this.#endpoint.toError("POST", response);
    const responseText = isUnrelatedToRequest(error.status, method) ? undefined : statelessErrorResponse(id, body);
    if (responseText === undefined) throw error;
    this.onText?.(responseText);
  }

  async #sendNotification(text: string, method: string, headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ACCEPT_TIMEOUT_MS)]);
      const response = await this.#endpoint.request({ method: "POST", headers, body: text, signal });
      if (!response.ok) throw (await this.#endpoint.toError("POST", response)).error;
      await discardBody(response);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.onFault?.(`${method} failed: ${asError(error).message}`);
    }
  }

  /** Aborts open requests. A stateless server needs no notification. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new Error("The connection was closed"));
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.onClose?.();
  }
}

/** Whether a status concerns access or availability, so that a JSON-RPC error in its body does not answer the request. */
function isUnrelatedToRequest(status: number, method: string): boolean {
  if (status < 400 || status >= 500 || [401, 402, 403, 407, 408].includes(status)) return true;
  // A rate limit answers a request, but does not depend on the revisions of the server.
  return status === 429 && method === DISCOVER;
}
