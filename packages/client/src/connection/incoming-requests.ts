// Requests of the server to the client: runs their handler, and sends exactly one response unless the server cancels.
// https://modelcontextprotocol.io/specification/2025-11-25/basic#requests
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  McpError,
  responseText,
  type Id,
  type Json,
  type RequestMessage,
} from "@oarlock/server-kit/protocol";
import { handlerFailed } from "../errors.ts";

/** Answers a request of the server; throws an `McpError` for an error response. */
export type AnswerRequest = (method: string, params: Json, signal: AbortSignal) => Promise<Json> | Json;

/** Takes the text of a response; undefined when the request was cancelled and has none. */
export type Reply = (text: string | undefined) => void;

/** Concurrent requests of one server; further ones get an error response. */
const MAX_CONCURRENT_REQUESTS = 100;

export class IncomingRequests {
  readonly #answer: AnswerRequest;
  readonly #onFault: ((message: string) => void) | undefined;
  readonly #inFlight = new Map<Id, AbortController>();

  constructor(answer: AnswerRequest, onFault: ((message: string) => void) | undefined) {
    this.#answer = answer;
    this.#onFault = onFault;
  }

  get isEmpty(): boolean {
    return this.#inFlight.size === 0;
  }

  handle({ id, method, params = {} }: RequestMessage, reply: Reply): void {
    if (method === "ping") return reply(responseText(id, "{}"));
    if (this.#inFlight.has(id)) return reply(errorText(id, { code: INVALID_REQUEST, message: "Request id already in use" }));
    if (this.#inFlight.size >= MAX_CONCURRENT_REQUESTS)
      return reply(errorText(id, { code: INTERNAL_ERROR, message: "Too many concurrent requests to the client" }));
    const controller = new AbortController();
    this.#inFlight.set(id, controller);
    void this.#responseText(id, method, params, controller.signal).then((text) => {
      // A request that was removed in the meantime was cancelled and must have no response.
      const isInFlight = this.#inFlight.get(id) === controller;
      if (isInFlight) this.#inFlight.delete(id);
      reply(isInFlight ? text : undefined);
    });
  }

  /** Aborts a request that the server has cancelled. */
  cancel(id: Id, reason: unknown): void {
    const controller = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    controller?.abort(new Error(typeof reason === "string" ? reason : "Cancelled by the server"));
  }

  /** Aborts all requests without a response. */
  abortAll(reason: Error): void {
    for (const controller of this.#inFlight.values()) controller.abort(reason);
    this.#inFlight.clear();
  }

  async #responseText(id: Id, method: string, params: Json, signal: AbortSignal): Promise<string> {
    try {
      return responseText(id, JSON.stringify(await this.#answer(method, params, signal)));
    } catch (error) {
      if (error instanceof McpError) {
        const { code, message, data } = error;
        return errorText(id, { code, message, ...(data !== undefined && { data }) });
      }
      this.#onFault?.(handlerFailed(method, error));
      return errorText(id, { code: INTERNAL_ERROR, message: "Internal error" });
    }
  }
}
