// @oarlock/server-kit/transport: what serves a server in several processes builds on, and nothing else. For authors of transports.
export { TokenBucket } from "./peer/token-bucket.ts";
export type { SessionState } from "./peer/session.ts";
export type { IncomingMessage } from "./runtime/classify.ts";
export { Connection } from "./runtime/connection.ts";
export type { Feature } from "./runtime/feature.ts";
export type { UsedConfirmations } from "./runtime/request/used-confirmations.ts";
export { watchForOthers } from "./runtime/watch/remote-watch.ts";
export type { Runtime } from "./runtime/runtime.ts";
export type { ChangeBus, ChangeListener } from "./runtime/services.ts";
export type { Cluster, ClusterNode, Endpoints, HostedSession, SessionHost } from "./transports/http/endpoints.ts";
export { EventConnection } from "./transports/http/event-connection.ts";
export { messageEvent, primingEvent } from "./transports/http/event-stream.ts";
export type { HttpExchange } from "./transports/http/http-exchange.ts";
export type { HttpLimits } from "./transports/http/http-limits.ts";
export type { HttpReply, ReplyFailure, ReplyHost } from "./transports/http/http-reply.ts";
export { randomId } from "./transports/http/random-id.ts";
export { HttpError } from "./transports/http/responses.ts";
export * from "./transports/http/session/session-rules.ts";
