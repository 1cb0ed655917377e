// Operations server: liveness, readiness and metrics on a port of their own (--ops-port).
import { createServer, type ServerResponse } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import type { HttpServer, requestGuard } from "@oarlock/server-kit/node";
import type { Health } from "./health.ts";
import { Metrics, type Gauge } from "./metrics.ts";

/** What readiness and metrics tell about. */
export interface Operated {
  readonly http: Pick<HttpServer, "counts">;
  readonly health: Health;
}

export interface OperationsServer {
  readonly url: string;
  readonly metrics: Metrics;
  /** The server listens: readiness turns to 200. */
  started(operated: Operated): void;
  /** The server is about to stop: readiness turns to 503. */
  draining(): void;
  close(): void;
}

/** Half-sent requests end this long after their connection, and are among the connections that are counted. */
const REQUEST_MS = 5000;
const MAX_CONNECTIONS = 100;

export interface OperationsOptions {
  readonly host: string;
  readonly port: number;
  /** Passed in: a chunk of its own for what this file and the start of HTTP share would be one file more to load. */
  readonly guard: ReturnType<typeof requestGuard>;
}

/** Listens. Rejects with the error of Node when the port cannot be used. */
export async function startOperations({ host, port, guard }: OperationsOptions): Promise<OperationsServer> {
  const metrics = new Metrics();
  let operated: Operated | undefined;
  let isDraining = false;

  const readiness = async (): Promise<[status: number, text: string]> => {
    if (isDraining) return [503, "draining"];
    if (operated === undefined) return [503, "starting"];
    await operated.health.check();
    return operated.health.readiness;
  };
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    "/livez": (response) => respond(response, 200, "ok"),
    "/healthz": (response) => respond(response, 200, "ok"),
    "/readyz": async (response) => respond(response, ...(await readiness())),
    "/metrics": (response) => respond(response, 200, metrics.text(gaugesOf(operated)), "text/plain; version=0.0.4; charset=utf-8"),
  };
  const times = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 };
  const server = createServer(times, (request, response) => {
    const refused = guard(request, response);
    // Probes name the address of a machine, which no page of another site can have: there the name is what is rebound.
    const isAddressed = refused?.status === 403 && request.headers.origin === undefined && isAddress(request.headers.host);
    if (refused !== undefined && !isAddressed) {
      response.shouldKeepAlive = false;
      return respond(response, refused.status, refused.message);
    }
    const page = pages[request.url?.split("?")[0] ?? ""];
    if (page === undefined) return respond(response, 404, "Not found: expected /livez, /readyz or /metrics.");
    if (request.method !== "GET" && request.method !== "HEAD") return respond(response, 405, "Method not allowed: expected GET.");
    void page(response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${urlHost}:${(server.address() as AddressInfo).port}`, // a TCP server that listens has a port
    metrics,
    started: (about) => void (operated = about),
    draining: () => void (isDraining = true),
    close() {
      operated?.health.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  const headers = { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" };
  response.writeHead(status, status === 405 ? { ...headers, allow: "GET, HEAD" } : headers).end(`${text.trimEnd()}\n`);
}

/** Whether a Host header has an IP address. */
const isAddress = (host = ""): boolean => isIP(host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "")) !== 0;

function gaugesOf(operated: Operated | undefined): Gauge[] {
  const own = [
    { name: "process_start_time_seconds", help: "Start of the process since the Unix epoch.", value: performance.timeOrigin / 1000 },
    { name: "process_resident_memory_bytes", help: "Resident memory of the process.", value: process.memoryUsage.rss() },
  ];
  if (operated === undefined) return own;
  const { sessions, streams, running, connections } = operated.http.counts();
  return [
    { name: "oarlock_sessions", help: "Open sessions.", value: sessions },
    { name: "oarlock_streams", help: "Event streams with a connected client.", value: streams },
    { name: "oarlock_requests_running", help: "Requests in flight.", value: running },
    { name: "oarlock_connections", help: "Open connections.", value: connections },
    ...operated.health.gauges,
    ...own,
  ];
}
