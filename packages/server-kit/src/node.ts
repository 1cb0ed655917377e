// @oarlock/server-kit/node: serving a server over stdio and HTTP with Node.
export { serveStdio, type StdioOptions, type StdioServer } from "./transports/stdio.ts";
export { guardStdout, writeStdout, type Write } from "./transports/stdout-guard.ts";
export {
  bearerToken,
  type AppCaller,
  type AppLogin,
  type Authenticator,
  type Denied,
  type ResourceMetadata,
} from "./transports/http/guard/authenticator.ts";
export { checkAllowed, isLoopback } from "./transports/http/guard/host-guard.ts";
export type { HttpOptions, WithLogin } from "./transports/http/handler.ts";
export type { Caller, Callers } from "./transports/http/caller.ts";
export type { HttpCounts, HttpLimits } from "./transports/http/http-limits.ts";
export { serveHttp, type HttpServer, type ServeHttpOptions } from "./transports/http/node/serve-http.ts";
export { requestGuard, type RefusedRequest } from "./transports/http/node/request-guard.ts";
export { toNodeHandler, type NodeHandler } from "./transports/http/node/node-handler.ts";
export type { Auth } from "./protocol/auth.ts";
