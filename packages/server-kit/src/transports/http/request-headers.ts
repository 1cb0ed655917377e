// RequestHeaders: the request headers that the rules use, parsed once.
// https://www.rfc-editor.org/rfc/rfc9110#section-5
import { find } from "../../revisions/index.ts";

export class RequestHeaders {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  contentLength: string | undefined;
  accept: string | undefined;
  upgrade: string | undefined;
  sessionId: string | undefined;
  protocolVersion: string | undefined;
  lastEventId: string | undefined;
  ifNoneMatch: string | undefined;
  accessControlRequestHeaders: string | undefined;
  mcpMethod: string | undefined;
  mcpName: string | undefined;
  traceparent: string | undefined;
  tracestate: string | undefined;
  /** `Mcp-Param-…` headers by the lower-case rest of their name. */
  mcpParams: Map<string, string> | undefined;
  /** Name of a header that may occur only once and occurred more often. */
  duplicate: string | undefined;
  /** Number of headers in the request. */
  count = 0;
}

type ListMember = "accept" | "traceparent" | "tracestate";
type Member = Exclude<keyof RequestHeaders, "duplicate" | "count" | "mcpParams" | ListMember>;

/** Headers that may occur only once. */
const SINGLE: ReadonlyMap<string, Member> = new Map<string, Member>([
  ["host", "host"],
  ["origin", "origin"],
  ["authorization", "authorization"],
  ["content-type", "contentType"],
  ["content-encoding", "contentEncoding"],
  ["content-length", "contentLength"],
  ["upgrade", "upgrade"],
  ["mcp-session-id", "sessionId"],
  ["mcp-protocol-version", "protocolVersion"],
  ["last-event-id", "lastEventId"],
  ["if-none-match", "ifNoneMatch"],
  ["access-control-request-headers", "accessControlRequestHeaders"],
  ["mcp-method", "mcpMethod"],
  ["mcp-name", "mcpName"],
]);

/** Headers whose values are one list. Of two trace parents neither is valid. */
const LISTS: ReadonlyMap<string, ListMember> = new Map<string, ListMember>([
  ["accept", "accept"],
  ["traceparent", "traceparent"],
  ["tracestate", "tracestate"],
]);

const PARAM_PREFIX = "mcp-param-";

/** Parses header names and values in turn, in the order of the request. */
export function parseHeaders(raw: readonly string[]): RequestHeaders {
  const headers = new RequestHeaders();
  headers.count = raw.length / 2;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    const member = SINGLE.get(name);
    if (member !== undefined) {
      const before = headers[member];
      if (before !== undefined) headers.duplicate = name;
      headers[member] = before === undefined ? value : `${before}, ${value}`;
    } else if (name.startsWith(PARAM_PREFIX)) {
      const params = (headers.mcpParams ??= new Map());
      const param = name.slice(PARAM_PREFIX.length);
      if (params.has(param)) headers.duplicate = name;
      params.set(param, value);
    } else {
      const list = LISTS.get(name);
      if (list !== undefined) headers[list] = headers[list] === undefined ? value : `${headers[list]}, ${value}`;
    }
  }
  return headers;
}

/** Whether the version header names a revision of the stateless era. */
export function isStatelessVersion({ protocolVersion }: RequestHeaders): boolean {
  return protocolVersion !== undefined && find(protocolVersion)?.facts.era === "stateless";
}
