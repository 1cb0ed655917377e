// @oarlock/server-kit/node: serving a server over stdio and HTTP with Node.
export { serveStdio, type StdioOptions, type StdioServer } from "./transports/stdio.ts";
export { guardStdout, type Write } from "./transports/stdout-guard.ts";
export { bearerToken, type Authenticator, type Denied, type ResourceMetadata } from "./transports/http/guard/authenticator.ts";
export { isLoopback } from "./transports/http/guard/host-guard.ts";
export type { HttpCounts, HttpOptions } from "./transports/http/handler.ts";
export type { HttpLimits } from "./transports/http/http-limits.ts";
export { serveHttp, toNodeHandler, type HttpServer, type NodeHandler, type ServeHttpOptions } from "./transports/http/node/serve-http.ts";
export type { Auth } from "./protocol/auth.ts";
