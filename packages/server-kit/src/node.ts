// @oarlock/server-kit/node: serving a server over stdio and HTTP with Node.
export { serveStdio, type StdioOptions, type StdioServer } from "./transports/stdio.ts";
export { guardStdout, writeStdout, type Write } from "./transports/stdout-guard.ts";
export * from "./transports/http/entry.ts";
export { checkAllowed, isLoopback } from "./transports/http/guard/host-guard.ts";
export { serveHttp, type HttpServer, type ServeHttpOptions } from "./transports/http/node/serve-http.ts";
export { requestGuard, type RefusedRequest } from "./transports/http/node/request-guard.ts";
export { toNodeHandler, type NodeHandler } from "./transports/http/node/node-handler.ts";
