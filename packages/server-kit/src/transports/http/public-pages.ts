// PublicPages: pages beside the endpoint that everybody may read, such as one that describes the server.
import type { HttpExchange } from "./http-exchange.ts";

/** The endpoint, as public pages may describe it. */
export interface PublicEndpoint {
  /** Its address by the request, with https except on loopback; undefined where the Host header names another server. */
  readonly address: string | undefined;
  /** Whether clients need a token that no authorization server issues. */
  readonly needsFixedToken: boolean;
}

/** Pages for requests of all origins, without a token. Those that throw an HttpError get its status. */
export interface PublicPages {
  /** Whether a path is that of a page. `endpoint`: the path of the MCP endpoint. */
  has(path: string, endpoint: string): boolean;
  respond(exchange: HttpExchange, endpoint: PublicEndpoint): void | Promise<void>;
}
