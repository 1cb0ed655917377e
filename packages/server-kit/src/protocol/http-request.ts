// HttpRequest: what a handler may see of the HTTP request that brought its message.

/** The HTTP request that brought a message. */
export interface HttpRequestInfo {
  /** By lower-case names, without credentials: authorization, cookies, session id. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters after `?`. */
  readonly query: URLSearchParams;
}

const CREDENTIALS = new Set(["authorization", "proxy-authorization", "cookie", "mcp-session-id"]);

/** What a handler may see of a request. Of headers that occur more often, the values are one list. */
export function httpRequestInfo(
  headers: Iterable<readonly [string, string | readonly string[] | undefined]>,
  query: string,
): HttpRequestInfo {
  const visible: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (value === undefined || CREDENTIALS.has(name)) continue;
    visible[name] = typeof value === "string" ? value : value.join(", ");
  }
  return { headers: visible, query: new URLSearchParams(query) };
}
