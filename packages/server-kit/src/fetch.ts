// @oarlock/server-kit/fetch: serving a server by web-standard requests, on any platform.
export * from "./transports/http/entry.ts";
export { toFetch, type FetchHandler } from "./transports/http/fetch-handler.ts";
