// RequestHeaders: the request headers that the rules use, parsed once.
// https://www.rfc-editor.org/rfc/rfc9110#section-5
import { find } from "../../revisions/index.ts";

/** Headers that may occur only once, each with the member that holds it. */
const SINGLE = {
  host: "host",
  origin: "origin",
  authorization: "authorization",
  "content-type": "contentType",
  "content-encoding": "contentEncoding",
  "content-length": "contentLength",
  upgrade: "upgrade",
  "mcp-session-id": "sessionId",
  "mcp-protocol-version": "protocolVersion",
  "last-event-id": "lastEventId",
  "if-none-match": "ifNoneMatch",
  "access-control-request-headers": "accessControlRequestHeaders",
  "mcp-method": "mcpMethod",
  "mcp-name": "mcpName",
} as const;

/** Headers whose values are one list. Of two trace parents neither is valid. */
const LISTS = { accept: "accept", traceparent: "traceparent", tracestate: "tracestate", baggage: "baggage" } as const;

type Member = (typeof SINGLE)[keyof typeof SINGLE] | keyof typeof LISTS;

const MEMBERS: ReadonlyMap<string, Member> = new Map<string, Member>(Object.entries({ ...SINGLE, ...LISTS, ":authority": "host" }));

export interface RequestHeaders extends Record<Member, string | undefined> {
  /** `Mcp-Param-…` headers by the lower-case rest of their name. */
  mcpParams: Map<string, string> | undefined;
  /** Name of a header that may occur only once and occurred more often. */
  duplicate: string | undefined;
  /** Number of headers in the request. */
  count: number;
}

const NO_MEMBERS = Object.fromEntries([...MEMBERS.values()].map((member) => [member, undefined])) as Record<Member, undefined>; // each of them

const PARAM_PREFIX = "mcp-param-";

/** Parses header names and values in turn, in the order of the request. */
export function parseHeaders(raw: readonly string[]): RequestHeaders {
  const headers: RequestHeaders = { ...NO_MEMBERS, mcpParams: undefined, duplicate: undefined, count: raw.length / 2 };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    const member = MEMBERS.get(name);
    if (member !== undefined) {
      const before = headers[member];
      if (before !== undefined && !(member in LISTS)) headers.duplicate = name;
      headers[member] = before === undefined ? value : `${before}, ${value}`;
    } else if (name.startsWith(PARAM_PREFIX)) {
      const params = (headers.mcpParams ??= new Map());
      const param = name.slice(PARAM_PREFIX.length);
      if (params.has(param)) headers.duplicate = name;
      params.set(param, value);
    }
  }
  return headers;
}

/** Whether the version header names a revision of the stateless era. */
export function isStatelessVersion({ protocolVersion }: RequestHeaders): boolean {
  return protocolVersion !== undefined && find(protocolVersion)?.facts.era === "stateless";
}
