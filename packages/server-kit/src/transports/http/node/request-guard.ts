// requestGuard: the checks of the MCP endpoint for another port of the same process, such as that of metrics.
import type { IncomingMessage, ServerResponse } from "node:http";
import { HostGuard, type HostGuardOptions } from "../guard/host-guard.ts";
import { HttpError } from "../responses.ts";
import { NodeExchange } from "./node-exchange.ts";

/** Why a request is refused. The connection has to be closed after the response. */
export interface RefusedRequest {
  readonly status: number;
  readonly message: string;
}

/**
 * Checks Host, Origin and framing of requests, so that pages of other sites cannot reach the port through a browser (DNS rebinding).
 * Throws a TypeError on an entry that no request can match.
 */
export function requestGuard(
  options: Pick<HostGuardOptions, "host" | "allowedHosts" | "allowedOrigins">,
): (request: IncomingMessage, response: ServerResponse) => RefusedRequest | undefined {
  const guard = new HostGuard(options);
  return (request, response) => {
    const exchange = new NodeExchange(request, response);
    if (exchange.framingProblem !== undefined) return { status: 400, message: exchange.framingProblem };
    try {
      guard.check(exchange.headers, () => exchange.port);
      return undefined;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { status: error.status, message: error.message };
    }
  };
}
