// @oarlock/client: a small client for tests, benches and tools.
export { connect, type ConnectOptions, type LogEntry } from "./connect.ts";
export { type Client, type CompletionRef } from "./client.ts";
export type { FormQuestion, Handlers, Roots, UrlQuestion } from "./answer.ts";
export { BadAnswer, Closed, HandshakeFailed, NotOffered, TimedOut } from "./errors.ts";
export type { Listing, Page } from "./pages.ts";
export { spawnServer, type Command, type Exit, type ServerProcess, type SpawnOptions } from "./stdio.ts";
export type { Progress, RequestOptions } from "./waiting.ts";
export type { OnUpdate } from "./watchers.ts";
