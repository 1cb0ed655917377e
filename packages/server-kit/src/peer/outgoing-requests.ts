// OutgoingRequests: the requests that a server has sent to its client (handshake era), with ids, time limits and abort.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts
import type { ClientRequest } from "./client-request.ts";
import { isId, isObject, notificationText, requestText, type Id, type Json, type ResponseMessage } from "../wire/json-rpc.ts";
import { RefusedByClient, ToolError } from "../protocol/errors.ts";
import type { TraceContext } from "../protocol/trace.ts";

interface PendingRequest {
  readonly mayChange: boolean;
  resolve(result: Json): void;
  reject(error: Error, end: ClientRequestEnd): void;
}

/** How a request to the client ended. */
export interface ClientRequestEnd {
  /** `success`; `error`: the client refused it with `code` and `message`; `invalid`: its response has no result; else without a response. */
  readonly outcome: "success" | "error" | "invalid" | "cancelled" | "timeout" | "closed";
  readonly code?: number;
  readonly message?: string;
}

/** One request to the client under observation. */
export interface ClientRequestObservation {
  /** Sent with the request. Default: the context of the request that it belongs to. */
  readonly trace?: TraceContext | undefined;
  /** Called once. */
  ended(end: ClientRequestEnd): void;
}

export interface OutgoingRequest {
  method: ClientRequest["method"];
  params?: Json;
  send(text: string): void;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Whether the handler may change something after the response. Default false. */
  mayChange?: boolean | undefined;
}

export class OutgoingRequests {
  /** Makes the ids where several processes send requests to one client. Default: counted from 1. */
  makeId: ((mayChange: boolean) => number) | undefined;
  /** Observes each request, for telemetry. */
  observe: ((id: Id, method: ClientRequest["method"]) => ClientRequestObservation | undefined) | undefined;
  #pending: Map<Id, PendingRequest> | undefined;
  /** Ids are unique in a session. */
  #nextId = 1;

  /** Ids of the requests without a response. */
  get ids(): Iterable<Id> {
    return this.#pending?.keys() ?? [];
  }

  /** Whether the response to a request lets its handler change something. */
  mayChange(id: Id): boolean {
    return this.#pending?.get(id)?.mayChange === true;
  }

  request({ method, params, send, timeoutMs, signal, mayChange = false }: OutgoingRequest): Promise<Json> {
    const id = this.makeId?.(mayChange) ?? this.#nextId++;
    const observation = this.observe?.(id, method);
    const traced = observation?.trace === undefined ? params : { ...params, _meta: observation.trace };
    return new Promise<Json>((resolve, reject) => {
      const settle = (end: ClientRequestEnd): void => {
        observation?.ended(end);
        this.#pending?.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const giveUp = (error: Error, outcome: "cancelled" | "timeout"): void => {
        settle({ outcome });
        send(notificationText("notifications/cancelled", { requestId: id, reason: error.message }));
        reject(error);
      };
      const onAbort = (): void => giveUp(signal?.reason instanceof Error ? signal.reason : new Error("aborted"), "cancelled");
      const timeout = new ToolError(`The client did not answer ${method} within ${timeoutMs} ms.`);
      const timer = setTimeout(() => giveUp(timeout, "timeout"), timeoutMs);
      if (signal?.aborted === true) {
        settle({ outcome: "cancelled" });
        return reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      }
      signal?.addEventListener("abort", onAbort);
      (this.#pending ??= new Map<Id, PendingRequest>()).set(id, {
        mayChange,
        resolve: (result) => (settle({ outcome: "success" }), resolve(result)),
        reject: (error, end) => (settle(end), reject(error)),
      });
      send(requestText(id, method, traced));
    });
  }

  /** Settles the request of a response; ignores a late or unknown one. */
  handleResponse({ id, result, error }: ResponseMessage): void {
    const pending = this.#pending?.get(id);
    if (pending === undefined) return;
    if (error !== undefined) pending.reject(new RefusedByClient(error), { outcome: "error", code: error.code, message: error.message });
    else if (isObject(result)) pending.resolve(result);
    else pending.reject(new ToolError("Invalid response from the client: expected an object."), { outcome: "invalid" });
  }

  /** Fails the request whose id an invalid message has: the message can only be its response. */
  rejectInvalid(value: unknown): void {
    if (!isObject(value) || value.method !== undefined || !isId(value.id)) return;
    const error = new ToolError("Invalid response from the client: not a JSON-RPC message.");
    this.#pending?.get(value.id)?.reject(error, { outcome: "invalid" });
  }

  close(reason: Error): void {
    for (const pending of [...(this.#pending?.values() ?? [])]) pending.reject(reason, { outcome: "closed" });
  }
}
