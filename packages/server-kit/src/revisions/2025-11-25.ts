// One step back from the newest revision: handshake and sessions come back, the stateless envelope goes.
// https://modelcontextprotocol.io/specification/2026-07-28/changelog
import { INTERNAL_ERROR, isObject } from "../wire/json-rpc.ts";
import { inside, without } from "./reshape.ts";
import { describesObject, type Step } from "./revision.ts";

const RESOURCE_NOT_FOUND = -32002;

export const step: Step = {
  id: "2025-11-25",
  facts: { era: "handshake", primes: true },
  methods: {
    add: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    drop: ["server/discover", "subscriptions/listen"],
  },
  down: {
    cacheable: without("ttlMs", "cacheScope"),
    // A schema with another root, and what follows it, cannot be said; the text block has the same value as JSON.
    tool: (tool) => (describesObject(tool.outputSchema) ? tool : without("outputSchema")(tool)),
    callResult: (result) => (isObject(result.structuredContent) ? result : without("structuredContent")(result)),
    initialize: inside("capabilities", without("extensions")),
    // Here each question by URL has an id of its own.
    elicit: (params) => (params.mode === "url" ? { ...params, elicitationId: globalThis.crypto.randomUUID() } : params),
  },
  failure: (failure) => {
    if (failure.kind === "resource-not-found") return { ...failure, code: RESOURCE_NOT_FOUND };
    if (failure.kind === "capability") return { ...failure, kind: "tool", code: INTERNAL_ERROR };
    return failure;
  },
};
