// @oarlock/server-kit/fetch: serving a server by web-standard requests, on any platform.
export {
  bearerToken,
  type AppCaller,
  type AppLogin,
  type Authenticator,
  type Denied,
  type ResourceMetadata,
} from "./transports/http/guard/authenticator.ts";
export type { HttpOptions, WithLogin } from "./transports/http/handler.ts";
export type { Caller, Callers } from "./transports/http/caller.ts";
export type { HttpCounts, HttpLimits } from "./transports/http/http-limits.ts";
export { toFetch, type FetchHandler } from "./transports/http/fetch-handler.ts";
export type { Auth } from "./protocol/auth.ts";
