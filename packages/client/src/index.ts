// @oarlock/client: a Model Context Protocol client for every published revision.
export { connect } from "./connect.ts";
export type { ConnectOptions, LogEntry } from "./options.ts";
export { type Client, type CompletionRef } from "./client.ts";
export type { FormRequest, Handlers, Roots, UrlRequest } from "./client-requests/client-request-handlers.ts";
export {
  ConnectionClosedError,
  HttpStatusError,
  InterruptedError,
  InvalidResponseError,
  NegotiationError,
  RequestTimeoutError,
  TaskCancelledError,
  UnsupportedCapabilityError,
} from "./errors.ts";
export type { Task } from "./extensions/tasks/task.ts";
export type { Tasks } from "./extensions/tasks/tasks.ts";
export type { Authorization, AuthorizationChallenge, AuthorizationRequest } from "./transports/http/authorization.ts";
export type { HttpServerAddress } from "./transports/http/http-endpoint.ts";
export type { NegotiatedServer } from "./era.ts";
export type { ChangeNotification, ListKind, NotificationFilter } from "./notifications/change-notification.ts";
export type { NotificationStream } from "./notifications/notification-stream.ts";
export { isNotFound } from "./is-not-found.ts";
export type { Page, PagedList } from "./paged-list.ts";
export { spawnServer, type Command, type Exit, type ServerProcess, type SpawnOptions } from "./transports/stdio/server-process.ts";
export type { ClientObserver, SentObservation, SentRequest, SentRequestEnd } from "./connection/observer.ts";
export type { Progress, RequestOptions } from "./connection/pending-request.ts";
export type { CacheOptions } from "./stateless/result-cache.ts";
export type { OnUpdate } from "./notifications/watched-resources.ts";
