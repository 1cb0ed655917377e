// CORS headers, for web pages of allowed origins. https://fetch.spec.whatwg.org/#http-cors-protocol
import type { HeaderList } from "../http-exchange.ts";

const ALLOWED_HEADERS =
  "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate, baggage, X-MCP-Toolsets, X-MCP-Readonly";

/** Headers that let a page of this origin read the response. */
export const corsHeaders = (origin: string): HeaderList => [
  "Access-Control-Allow-Origin",
  origin,
  "Access-Control-Expose-Headers",
  "Mcp-Session-Id, WWW-Authenticate",
  "Vary",
  "Origin",
];

/** Headers of the response to a preflight request; `requested` is its Access-Control-Request-Headers. */
export function preflightHeaders(requested = ""): HeaderList {
  const params = requested.split(",").flatMap((name) => /^\s*(mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+)\s*$/i.exec(name)?.[1] ?? []);
  return [
    "Access-Control-Allow-Methods",
    "GET, POST, DELETE",
    "Access-Control-Allow-Headers",
    [ALLOWED_HEADERS, ...params].join(", "),
    "Access-Control-Max-Age",
    "7200",
  ];
}
