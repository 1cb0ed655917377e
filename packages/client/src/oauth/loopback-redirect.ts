// The redirect of the browser to a port on loopback, which receives the authorization code.
// https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthorizationError } from "./oauth-error.ts";

/** Where the authorization server sends the browser. */
export interface RedirectReceiver {
  readonly uri: string;
  /** The parameters of the redirect with this `state`. Others are refused, and waiting continues. */
  receive(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const PATH = "/callback";
/** Half-sent requests end this long after their connection, and are among the connections that are counted. */
const REQUEST_MS = 5000;
const MAX_CONNECTIONS = 100;
const PAGE_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Listens on 127.0.0.1, at the port of an earlier redirect URI if it is free: authorization servers may compare it exactly. */
export async function loopbackRedirect(earlierUri?: string): Promise<RedirectReceiver> {
  const earlierPort = Number(URL.parse(earlierUri ?? "")?.port ?? 0);
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, earlierPort).catch((error: unknown) => {
    if (earlierPort === 0) throw error;
    return listen(server, 0);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: `http://${host}${PATH}`,
    receive: (state, signal) => receive(server, host, state, signal),
    close: () => {
      server.close();
      // The page is delivered; a browser also keeps connections open that it has not used yet.
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function receive(server: Server, host: string, state: string, signal: AbortSignal): Promise<URLSearchParams> {
  const received = Promise.withResolvers<URLSearchParams>();
  const abort = (): void => {
    const isTimeout = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    received.reject(isTimeout ? new AuthorizationError("The login was not completed in time. Call again to log in.") : signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  server.on("request", (request, response) => {
    const url = URL.parse(request.url ?? "", `http://${host}`);
    // Another host in the header means that a web page reaches this port by a name of its own.
    if (request.headers.host !== host || request.method !== "GET" || url?.pathname !== PATH) return answer(response, 404, "Not found.");
    if (url.searchParams.get("state") !== state) return answer(response, 400, "This login has ended or was started elsewhere.");
    response.on("close", () => received.resolve(url.searchParams));
    answer(response, 200, "You can close this page.");
  });
  return received.promise.finally(() => {
    signal.removeEventListener("abort", abort);
    server.removeAllListeners("request");
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, connection: "close" }).end(`${text}\n`);
}
