// @oarlock/server-kit/fetch: serving a server by web-standard requests, on any platform.
export { bearerToken, type Authenticator, type Denied, type ResourceMetadata } from "./transports/http/auth.ts";
export type { HttpCounts, HttpOptions } from "./transports/http/handler.ts";
export type { HttpLimits } from "./transports/http/limits.ts";
export { toFetch, type FetchHandler } from "./transports/http/web.ts";
export type { Auth } from "./protocol/auth.ts";
