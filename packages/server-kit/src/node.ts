// @oarlock/server-kit/node: serving a server as a process.
export type { Flag, Flags } from "./cli/flags.ts";
export { leanProcess } from "./cli/lean-process.ts";
export { requireNode } from "./cli/node-version.ts";
export { cli, type CliSpec, type OptionsOf, type Start, type Things } from "./cli/run.ts";
export { StartError } from "./cli/start-error.ts";
export { serveStdio, type StdioOptions, type StdioServer } from "./transports/stdio.ts";
export { bearerToken, type Authenticator, type Denied, type ResourceMetadata } from "./transports/http/auth.ts";
export type { HttpCounts, HttpOptions } from "./transports/http/handler.ts";
export type { HttpLimits } from "./transports/http/limits.ts";
export { serveHttp, toNodeHandler, type HttpServer, type NodeHandler, type ServeHttpOptions } from "./transports/http/node.ts";
export type { Auth } from "./protocol/auth.ts";
