// OutgoingRequests: the requests that a server has sent to its client (handshake era), with ids, time limits and abort.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts
import { isId, isObject, notificationText, requestText, type Id, type Json, type ResponseMessage } from "../wire/json-rpc.ts";
import { RefusedByClient, ToolError } from "../protocol/errors.ts";

interface PendingRequest {
  resolve(result: Json): void;
  reject(error: Error): void;
}

export interface OutgoingRequest {
  method: string;
  params?: Json;
  send(text: string): void;
  timeoutMs: number;
  signal?: AbortSignal;
}

export class OutgoingRequests {
  /** Makes the ids where several processes send requests to one client. Default: counted from 1. */
  makeId: (() => number) | undefined;
  #pending: Map<Id, PendingRequest> | undefined;
  /** Ids are unique in a session. */
  #nextId = 1;

  get size(): number {
    return this.#pending?.size ?? 0;
  }

  /** Ids of the requests without a response. */
  get ids(): Iterable<Id> {
    return this.#pending?.keys() ?? [];
  }

  request({ method, params, send, timeoutMs, signal }: OutgoingRequest): Promise<Json> {
    const id = this.makeId?.() ?? this.#nextId++;
    return new Promise<Json>((resolve, reject) => {
      const settle = (): void => {
        this.#pending?.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const giveUp = (error: Error): void => {
        settle();
        send(notificationText("notifications/cancelled", { requestId: id, reason: error.message }));
        reject(error);
      };
      const onAbort = (): void => giveUp(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      const timer = setTimeout(() => giveUp(new ToolError(`The client did not answer ${method} within ${timeoutMs} ms.`)), timeoutMs);
      if (signal?.aborted === true) {
        clearTimeout(timer);
        return reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      }
      signal?.addEventListener("abort", onAbort);
      (this.#pending ??= new Map<Id, PendingRequest>()).set(id, {
        resolve: (result) => (settle(), resolve(result)),
        reject: (error) => (settle(), reject(error)),
      });
      send(requestText(id, method, params));
    });
  }

  /** Settles the request of a response; ignores a late or unknown one. */
  handleResponse({ id, result, error }: ResponseMessage): void {
    const pending = this.#pending?.get(id);
    if (pending === undefined) return;
    if (error !== undefined) pending.reject(new RefusedByClient(error));
    else if (isObject(result)) pending.resolve(result);
    else pending.reject(new ToolError("Invalid response from the client: expected an object."));
  }

  /** Fails the request whose id an invalid message has: the message can only be its response. */
  rejectInvalid(value: unknown): void {
    if (!isObject(value) || value.method !== undefined || !isId(value.id)) return;
    this.#pending?.get(value.id)?.reject(new ToolError("Invalid response from the client: not a JSON-RPC message."));
  }

  close(reason: Error): void {
    for (const pending of [...(this.#pending?.values() ?? [])]) pending.reject(reason);
  }
}
