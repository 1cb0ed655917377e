// @oarlock/client: a small client for tests, benches and tools.
export { connect } from "./connect.ts";
export type { ConnectOptions, LogEntry } from "./options.ts";
export { type Client, type CompletionRef } from "./client.ts";
export type { FormQuestion, Handlers, Roots, UrlQuestion } from "./answer.ts";
export { BadAnswer, Closed, HandshakeFailed, HttpRefused, Interrupted, NotOffered, TimedOut } from "./errors.ts";
export type { HttpServerAddress } from "./http/door.ts";
export type { Agreed } from "./era.ts";
export type { List, Listening, ListenTo, News } from "./news.ts";
export { isMissing } from "./is-missing.ts";
export type { Listing, Page } from "./pages.ts";
export { spawnServer, type Command, type Exit, type ServerProcess, type SpawnOptions } from "./stdio.ts";
export type { Progress, RequestOptions } from "./waiting.ts";
export type { KeepOptions } from "./stateless/cache.ts";
export type { OnUpdate } from "./watched.ts";
