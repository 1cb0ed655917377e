// @oarlock/client: a small client for tests, benches and tools.
export { connect } from "./connect.ts";
export type { ConnectOptions, LogEntry } from "./options.ts";
export { type Client, type CompletionRef } from "./client.ts";
export type { FormQuestion, Handlers, Roots, UrlQuestion } from "./client-requests/client-request-handlers.ts";
export { BadAnswer, Closed, HandshakeFailed, HttpRefused, Interrupted, NotOffered, TimedOut } from "./errors.ts";
export type { HttpServerAddress } from "./transports/http/http-endpoint.ts";
export type { Agreed } from "./era.ts";
export type { List, Listening, ListenTo, News } from "./notifications/change-notification.ts";
export { isMissing } from "./is-not-found.ts";
export type { Listing, Page } from "./paged-list.ts";
export { spawnServer, type Command, type Exit, type ServerProcess, type SpawnOptions } from "./transports/stdio/server-process.ts";
export type { Progress, RequestOptions } from "./connection/pending-request.ts";
export type { KeepOptions } from "./stateless/result-cache.ts";
export type { OnUpdate } from "./notifications/watched-resources.ts";
