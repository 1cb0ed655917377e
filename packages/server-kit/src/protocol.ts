// @oarlock/server-kit/protocol: protocol types, revisions and JSON-RPC, for clients and test tools.
export { nearestName } from "./features/nearest-name.ts";
export { McpError } from "./protocol/errors.ts";
export { traceIdOf, type TraceContext } from "./protocol/trace.ts";
export { wrongMessages, wrongResult } from "./protocol/sampling.ts";
export * from "./protocol/types.ts";
export { find as findRevision, NEWEST_HANDSHAKE, REVISIONS, type Facts, type Revision } from "./revisions/index.ts";
export * from "./wire/json-rpc.ts";
export { LineReader, type LineSink } from "./wire/ndjson.ts";
export type { Wire } from "./wire/wire.ts";
