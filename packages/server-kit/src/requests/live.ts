// The asker of sessions: sends the question as a request of ours and waits for its answer.
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { allows, cannotAsk, type Asker, type AskFacts } from "./ask.ts";

export interface Live {
  outbox: {
    request(ask: { method: string; params?: Json; send(text: string): void; timeoutMs: number; signal?: AbortSignal }): Promise<Json>;
  };
  revision: { readonly facts: AskFacts; encodeParams(method: string, params: Json): Json };
  capabilities: ClientCapabilities;
  /** The way back of the request that asks. */
  send(text: string): void;
  timeoutMs: number;
}

export function live({ outbox, revision, capabilities, send, timeoutMs }: Live): Asker {
  return {
    async ask({ method, params, needs }, signal) {
      if (!allows(capabilities, revision.facts, needs)) throw cannotAsk(needs);
      // `roots/list` has no params worth an empty object.
      const said = method === "roots/list" ? {} : { params: revision.encodeParams(method, params) };
      return outbox.request({ method, ...said, send, timeoutMs, signal });
    },
  };
}
