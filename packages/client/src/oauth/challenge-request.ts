// A request without a token, which shows how an MCP server wants to be authorized.
import { tokenChallenge, type Challenge } from "./challenge.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { AuthorizationError } from "./oauth-error.ts";

/** Every revision has this request, and it changes nothing. */
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
/** A server without a login answers with a result, or rejects the request because it belongs to no session. */
const OPEN_STATUSES = [200, 202, 400];

export interface ServerAnswer {
  status: number;
  challenge: Challenge | undefined;
}

export async function requestChallenge(server: URL, fetch: GuardedFetch): Promise<ServerAnswer> {
  const { status, headers } = await fetch(server, { method: "POST", headers: HEADERS, body: PING });
  if (status >= 500) throw new AuthorizationError(`The server is not available: HTTP status ${status}. Try again later.`);
  return { status, challenge: status === 401 ? tokenChallenge(headers.get("www-authenticate")) : undefined };
}

/** Whether a server that publishes no resource metadata demands a token. */
export function demandsToken({ status }: ServerAnswer): boolean {
  if (status === 401) return true;
  if (OPEN_STATUSES.includes(status)) return false;
  throw new AuthorizationError(
    `The server rejected a request with HTTP status ${status} and names no authorization server. Check its URL.`,
  );
}
