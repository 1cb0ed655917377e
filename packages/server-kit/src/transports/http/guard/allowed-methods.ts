// isMethodAllowed: checks the HTTP method of a request, and answers preflight requests.
import { preflightHeaders } from "./cors.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { HttpError } from "../responses.ts";

/** Throws an HttpError (405) on a method that the path does not have. Returns false after answering a preflight request. */
export function isMethodAllowed(exchange: HttpExchange, methods: readonly string[]): boolean {
  const { method, headers } = exchange;
  if (methods.includes(method) && headers.upgrade?.toLowerCase() !== "websocket") return true;
  const allow = ["Allow", methods.join(", ")];
  if (method !== "OPTIONS") throw new HttpError(405, `Method not allowed: expected ${methods.join(", ")}.`, { headers: allow });
  const preflight = headers.origin === undefined ? [] : preflightHeaders(headers.accessControlRequestHeaders);
  exchange.respond(204, [...allow, ...preflight]);
  return false;
}
