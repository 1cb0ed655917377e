// Client requests: requests from the server to the user, the model or the folders behind a client.
// https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation (and sampling, roots)
import { isObject, type Json } from "../wire/json-rpc.ts";
import { McpError } from "../protocol/errors.ts";
import type { TraceContext } from "../protocol/trace.ts";
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Facts } from "../revisions/index.ts";

export type RequiredAbility = "elicit" | "elicit.url" | "sample" | "sample.tools" | "sample.context" | "roots";

export interface ClientRequest {
  method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** In the newest revision's shape. */
  params: Json;
  requires: RequiredAbility;
  /** Names the request among those of one round. */
  key?: string;
  /** Whether the handler may change something after the response. Default false. */
  mayChange?: boolean;
  /** The trace that it belongs to. */
  trace?: TraceContext | undefined;
}

/** Sends client requests: live in the handshake era, as input requests in the stateless era. */
export interface ClientRequester {
  /** Values of `ctx.once` that outlive a round; undefined in the handshake era. */
  readonly onceValues?: Map<string, unknown>;
  requestFromClient(request: ClientRequest, signal?: AbortSignal): Promise<Json>;
}

/** The client requests that a revision has. */
export type RequestFacts = Pick<Facts, "elicit" | "elicitUrl" | "sampleTools">;

/** Whether a client with these capabilities supports a request in this revision. An empty elicitation object means forms. */
export function supports(capabilities: ClientCapabilities, facts: RequestFacts, need: RequiredAbility): boolean {
  const { elicitation, sampling, roots } = capabilities;
  switch (need) {
    case "elicit":
      return facts.elicit && isObject(elicitation) && (isObject(elicitation.form) || elicitation.url === undefined);
    case "elicit.url":
      return facts.elicitUrl && isObject(elicitation) && isObject(elicitation.url);
    case "sample":
      return isObject(sampling);
    case "sample.tools":
      return facts.sampleTools && isObject(sampling) && isObject(sampling.tools);
    case "sample.context":
      // Older revisions have no capability for it: every client may get it.
      return isObject(sampling) && (!facts.sampleTools || isObject(sampling.context));
    case "roots":
      return isObject(roots);
  }
}

const MISSING_CAPABILITY = -32021;

const ABILITIES: Record<RequiredAbility, { displayName: string; requiredCapabilities: Json }> = {
  elicit: { displayName: "elicitation", requiredCapabilities: { elicitation: { form: {} } } },
  "elicit.url": { displayName: "elicitation by URL", requiredCapabilities: { elicitation: { url: {} } } },
  sample: { displayName: "sampling", requiredCapabilities: { sampling: {} } },
  "sample.tools": { displayName: "tools in sampling", requiredCapabilities: { sampling: { tools: {} } } },
  "sample.context": { displayName: "context in sampling", requiredCapabilities: { sampling: { context: {} } } },
  roots: { displayName: "roots", requiredCapabilities: { roots: {} } },
};

/** The error of a request that the client does not support. */
export function missingCapability(need: RequiredAbility): McpError {
  const { displayName, requiredCapabilities } = ABILITIES[need];
  const message = `This tool needs a client that supports ${displayName}.`;
  return new McpError(MISSING_CAPABILITY, message, { requiredCapabilities }, "capability");
}

/** The error of a request that needs an extension which the client did not declare. */
export function missingExtension(id: string): McpError {
  const data = { requiredCapabilities: { extensions: { [id]: {} } } };
  return new McpError(MISSING_CAPABILITY, `This request needs a client that declares the extension ${id}.`, data, "capability");
}
