// The client requests of sessions: sends each as a request and awaits its response.
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { supports, missingCapability, type ClientRequester, type RequestFacts } from "./client-request.ts";

export interface LiveRequesterOptions {
  requests: {
    request(ask: { method: string; params?: Json; send(text: string): void; timeoutMs: number; signal?: AbortSignal }): Promise<Json>;
  };
  revision: { readonly facts: RequestFacts; encodeParams(method: string, params: Json): Json };
  capabilities: ClientCapabilities;
  /** The way back of the request that asks. */
  send(text: string): void;
  timeoutMs: number;
}

export function liveRequester({ requests: outbox, revision, capabilities, send, timeoutMs }: LiveRequesterOptions): ClientRequester {
  return {
    async requestFromClient({ method, params, requires: needs }, signal) {
      if (!supports(capabilities, revision.facts, needs)) throw missingCapability(needs);
      // `roots/list` has no params worth an empty object.
      const said = method === "roots/list" ? {} : { params: revision.encodeParams(method, params) };
      return outbox.request({ method, ...said, send, timeoutMs, signal });
    },
  };
}
