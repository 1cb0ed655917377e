// The step back to 2025-11-25: with handshake and sessions, without the stateless envelope.
// https://modelcontextprotocol.io/specification/2026-07-28/changelog
import { INTERNAL_ERROR, isObject } from "../wire/json-rpc.ts";
import { each, inside, without, type Shape } from "./reshape.ts";
import { describesObject, type Step } from "./revision.ts";

const RESOURCE_NOT_FOUND = -32002;
const URL_NEEDED = -32042;

/** The schemas of properties must be objects in this revision: `true` becomes `{}`, and `false` becomes `{"not": {}}`. */
const objectSchemas: Shape = (properties) => {
  const booleans = Object.entries(properties).filter(([, schema]) => typeof schema === "boolean");
  if (booleans.length === 0) return properties;
  return { ...properties, ...Object.fromEntries(booleans.map(([name, schema]) => [name, schema === true ? {} : { not: {} }])) };
};
const withObjectSchemas = inside("properties", objectSchemas);

/** Removes an output schema whose root is not an object. `callResult` removes its structured result: the text block holds the same JSON. */
const tool: Shape = (newer) => {
  const older = describesObject(newer.outputSchema) ? newer : without("outputSchema")(newer);
  return inside("inputSchema", withObjectSchemas)(inside("outputSchema", withObjectSchemas)(older));
};

/** A tool result in sampling: a structured value without blocks becomes a text block of JSON. */
const block: Shape = (value) => {
  const { type, structuredContent: structured, content } = value;
  if (type !== "tool_result" || structured === undefined || isObject(structured)) return value;
  const empty = !Array.isArray(content) || content.length === 0;
  return { ...without("structuredContent")(value), ...(empty && { content: [{ type: "text", text: JSON.stringify(structured) }] }) };
};
const message: Shape = (value) => each("content", block)(inside("content", block)(value));
const sampling: Shape = (params) => each("messages", message)(each("tools", tool)(params));

export const step: Step = {
  id: "2025-11-25",
  facts: { era: "handshake", primingEvent: true, coreTasks: true },
  methods: {
    add: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
    drop: ["server/discover", "subscriptions/listen"],
  },
  down: {
    cacheable: without("ttlMs", "cacheScope"),
    tool,
    callResult: (result) => (isObject(result.structuredContent) ? result : without("structuredContent")(result)),
    // An elicitation by URL has an id in this revision.
    elicit: (params) => (params.mode === "url" ? { ...params, elicitationId: globalThis.crypto.randomUUID() } : params),
    sample: sampling,
  },
  failure: (failure) => {
    if (failure.kind === "resource-not-found") return { ...failure, code: RESOURCE_NOT_FOUND };
    if (failure.kind === "url-needed") return { ...failure, code: URL_NEEDED };
    if (failure.kind === "capability") return { ...failure, kind: "tool", code: INTERNAL_ERROR };
    return failure;
  },
};
