// Live requester: sends each client request of a session at once and awaits its response.
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { supports, missingCapability, type ClientRequester, type RequestFacts } from "./client-request.ts";

export interface LiveRequesterOptions {
  requests: {
    request(request: { method: string; params?: Json; send(text: string): void; timeoutMs: number; signal?: AbortSignal }): Promise<Json>;
  };
  revision: { readonly facts: RequestFacts; encodeParams(method: string, params: Json): Json };
  capabilities: ClientCapabilities;
  /** Writes to the channel of the request that is being handled. */
  send(text: string): void;
  timeoutMs: number;
}

export function liveRequester({ requests, revision, capabilities, send, timeoutMs }: LiveRequesterOptions): ClientRequester {
  return {
    async requestFromClient({ method, params, requires }, signal) {
      if (!supports(capabilities, revision.facts, requires)) throw missingCapability(requires);
      // `roots/list` has no params: an empty object is left out.
      const encoded = method === "roots/list" ? {} : { params: revision.encodeParams(method, params) };
      return requests.request({ method, ...encoded, send, timeoutMs, signal });
    },
  };
}
