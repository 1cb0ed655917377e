// OutgoingRequests: requests from the server to a client (handshake era), with ids, time limits and abort; late responses are ignored.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts
import { isId, isObject, notificationText, requestText, type Id, type Json, type ResponseMessage } from "../wire/json-rpc.ts";
import { ToolError } from "../protocol/errors.ts";

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
  #waiting: Map<Id, PendingRequest> | undefined;
  /** Ids are unique in a session. */
  #next = 1;

  get size(): number {
    return this.#waiting?.size ?? 0;
  }

  request({ method, params, send, timeoutMs, signal }: OutgoingRequest): Promise<Json> {
    const id = this.#next++;
    return new Promise<Json>((resolve, reject) => {
      const done = (): void => {
        this.#waiting?.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
      };
      const giveUp = (error: Error): void => {
        done();
        send(notificationText("notifications/cancelled", { requestId: id, reason: error.message }));
        reject(error);
      };
      const aborted = (): void => giveUp(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      const timer = setTimeout(() => giveUp(new ToolError(`The client did not answer ${method} within ${timeoutMs} ms`)), timeoutMs);
      if (signal?.aborted === true) {
        clearTimeout(timer);
        return reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      }
      signal?.addEventListener("abort", aborted);
      (this.#waiting ??= new Map<Id, PendingRequest>()).set(id, {
        resolve: (result) => (done(), resolve(result)),
        reject: (error) => (done(), reject(error)),
      });
      send(requestText(id, method, params));
    });
  }

  /** Settles the request of a response; ignores an unknown one. */
  handleResponse({ id, result, error }: ResponseMessage): void {
    const waiting = this.#waiting?.get(id);
    if (waiting === undefined) return;
    if (error !== undefined)
      waiting.reject(
        new ToolError(`The client refused: ${typeof error.message === "string" ? error.message.slice(0, 300) : "no reason given"}`),
      );
    else if (isObject(result)) waiting.resolve(result);
    else waiting.reject(new ToolError("The client's answer is no object"));
  }

  /** An invalid message with the id of a pending request can only be its response: the request fails. */
  rejectInvalid(value: unknown): void {
    if (!isObject(value) || value.method !== undefined || !isId(value.id)) return;
    this.#waiting?.get(value.id)?.reject(new ToolError("The client's answer is no valid message"));
  }

  close(reason: Error): void {
    for (const waiting of [...(this.#waiting?.values() ?? [])]) waiting.reject(reason);
  }
}
