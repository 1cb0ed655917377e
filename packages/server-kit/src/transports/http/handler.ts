// HttpHandler: routes each HTTP request by its path, method and era, once it passed the checks. Independent of the platform.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import { within } from "../../features/awaitable.ts";
import { truncate } from "../../features/schema/schema.ts";
import type { Auth } from "../../protocol/auth.ts";
import { describeError } from "../../protocol/errors.ts";
import { parseMessage, type IncomingMessage } from "../../runtime/classify.ts";
import type { Server } from "../../runtime/define.ts";
import type { Observer } from "../../runtime/request/observer.ts";
import { Runtime, type RuntimeOptions } from "../../runtime/runtime.ts";
import { INTERNAL_ERROR } from "../../wire/json-rpc.ts";
import { checkRate, hasRate } from "./call-rates.ts";
import type { Callers } from "./caller.ts";
import { checkCaller } from "./guard/caller-check.ts";
import type { Cluster, ClusterNode, RateLimiter } from "./endpoints.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { Access } from "./guard/access.ts";
import { byAppLogin, type AppLogin, type Authenticator, type RequestAuthenticator } from "./guard/authenticator.ts";
import { isMethodAllowed } from "./guard/allowed-methods.ts";
import { BodyBudget, budgetOf } from "./guard/body-budget.ts";
import { corsHeaders } from "./guard/cors.ts";
import { checkOngoingWork } from "./guard/ongoing-work.ts";
import { checkedPath, HostGuard } from "./guard/host-guard.ts";
import { DEFAULT_HTTP_LIMITS, type HttpCounts, type HttpLimits } from "./http-limits.ts";
import { LegacySse } from "./legacy-sse.ts";
import { checkAccept, checkContentType } from "./media-types.ts";
import type { PublicPages } from "./public-pages.ts";
import { isStatelessVersion } from "./request-headers.ts";
import { HttpError, respondError, shuttingDown } from "./responses.ts";
import { adoptTrace } from "./trace-headers.ts";
import { ownEndpoints } from "./session/own-endpoints.ts";
import { SessionEndpoint } from "./session/session-endpoint.ts";
import { StatelessEndpoint } from "./stateless/stateless-endpoint.ts";

/** How a server is served over HTTP, on every platform. */
export interface HttpOptions extends RuntimeOptions {
  /** Path of the MCP endpoint. Default `/mcp`. */
  path?: string;
  /** Host names to allow besides the loopback ones, each with or without a port. */
  allowedHosts?: readonly string[];
  /** Origins of web pages to allow besides the server's own on loopback. */
  allowedOrigins?: readonly string[];
  /** Verifies bearer tokens. Default: everyone may call. */
  auth?: Authenticator;
  /** Prefix of scopes: `files` for `files:read` and `files:write`. Default: the name of the server. */
  scope?: string;
  /** Also serve the HTTP+SSE transport of 2024-11-05: `GET /sse`, `POST /messages`. Default false. */
  legacySse?: boolean;
  /** What everybody may read beside the endpoint, such as `serverCard()` of `@oarlock/extensions/server-card`. Default: nothing. */
  pages?: PublicPages;
  http?: Partial<HttpLimits>;
  /** Limits for each caller. Default: callers share the limits of the server. */
  callers?: Callers;
  /** Several nodes of this server, as `@oarlock/cluster` makes them. They need the same `stateKeys`. Default: this process is the only one. */
  cluster?: Cluster;
}

/** The options of a platform with requests of this type, where the login of an app may stand in place of tokens. */
export type WithLogin<Options, Request> = Omit<Options, "auth"> & {
  /** Verifies bearer tokens, or names the caller of a request by the login of the app. Default: everyone may call. */
  auth?: Authenticator | AppLogin<Request>;
};

/** How often time limits and idle streams are checked. */
const TICK_MS = 250;

const SESSION_METHODS = ["GET", "POST", "DELETE"];
const STATELESS_METHODS = ["POST"];
const LEGACY_IN_CLUSTER = "HTTP+SSE cannot be served in a cluster: its clients are bound to one node. Leave out either of the two.";

export class HttpHandler {
  readonly runtime: Runtime;
  readonly #guard: HostGuard;
  readonly #path: string;
  readonly #access: Access | undefined;
  readonly #pages: PublicPages | undefined;
  readonly #needsFixedToken: boolean;
  readonly #bodies: BodyBudget;
  readonly #node: ClusterNode | undefined;
  readonly #rates: RateLimiter;
  readonly #callers: Callers | undefined;
  readonly #observer: Observer | undefined;
  readonly #sessions: SessionEndpoint;
  readonly #stateless: StatelessEndpoint;
  readonly #legacySse: LegacySse | undefined;
  readonly #endpoints: readonly (SessionEndpoint | StatelessEndpoint | LegacySse)[];
  /** Runs from the first request on: workers have no timers before. */
  #clock: ReturnType<typeof setInterval> | undefined;
  #isClosing = false;

  constructor(server: Server, options: WithLogin<HttpOptions, never> & { host?: string | undefined } = {}) {
    const { path = "/mcp", scope = server.info.name } = options;
    const auth: RequestAuthenticator | undefined = typeof options.auth === "function" ? byAppLogin(options.auth) : options.auth;
    if (options.cluster !== undefined && options.legacySse === true) throw new TypeError(LEGACY_IN_CLUSTER);
    this.#guard = new HostGuard(options);
    this.#node = options.cluster?.join();
    this.runtime = new Runtime(server, options, this.#node, "tcp");
    this.#path = checkedPath(path);
    this.#access = auth && new Access({ server, path, auth, scope, log: this.runtime.log, observer: options.observer });
    this.#pages = options.pages;
    this.#needsFixedToken = auth !== undefined && auth.metadata === undefined && auth.callerOf === undefined;
    const limits = { ...DEFAULT_HTTP_LIMITS, ...options.http };
    this.#bodies = new BodyBudget(limits.allBodyBytes);
    const { sessions, rates } = this.#node?.start(this.runtime, limits) ?? ownEndpoints(this.runtime, limits);
    this.#rates = rates;
    this.#callers = options.callers;
    this.#observer = options.observer;
    this.#sessions = new SessionEndpoint(sessions, limits);
    this.#stateless = new StatelessEndpoint(this.runtime, limits);
    this.#legacySse = options.legacySse === true ? new LegacySse(this.runtime, limits) : undefined;
    this.#endpoints = [this.#sessions, this.#stateless, ...(this.#legacySse === undefined ? [] : [this.#legacySse])];
  }

  /** Settles when the other nodes of a cluster know this one, or after `maxMs`: a server starts while they cannot be reached, too. */
  async joined(maxMs: number): Promise<void> {
    if (this.#node !== undefined) await within(maxMs, this.#node.joined());
  }

  // ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Serves one request. Never rejects. */
  async handle(exchange: HttpExchange): Promise<void> {
    if (this.#clock === undefined && !this.#isClosing) {
      this.#clock = setInterval(() => this.#tick(), TICK_MS);
      (this.#clock as { unref?(): void }).unref?.();
    }
    try {
      if (this.runtime.server.isLoading) await this.runtime.server.ready();
      await this.#route(exchange);
    } catch (error) {
      if (error instanceof HttpError) return this.#refuse(exchange, error);
      if (this.#isClosing) this.runtime.log("warning", `HTTP, at the end: ${describeError(error)}`);
      if (this.#isClosing) return respondError(exchange, shuttingDown());
      // A request must never crash the process. Reaching this line is a bug in the kit, or a server that does not load.
      this.runtime.log("error", `HTTP: ${describeError(error)}`);
      respondError(exchange, new HttpError(500, "Internal error", { code: INTERNAL_ERROR }));
    }
  }

  #refuse(exchange: HttpExchange, error: HttpError): void {
    const { status, options } = error;
    const { method, caller } = exchange;
    if (options.limit !== undefined) this.#observer?.requestRefused?.({ method, status, limit: options.limit, caller: caller?.name });
    respondError(exchange, error);
  }

  async #route(exchange: HttpExchange): Promise<void> {
    const { headers, originalPath } = exchange;
    const path =
      this.#hasPath(exchange.path) || originalPath === undefined ? exchange.path : this.#mountedPath(originalPath, exchange.path);
    // Pages of all origins may read these; the endpoint stays guarded.
    if (path !== undefined && this.#pages?.has(path, this.#path) === true)
      return this.#pages.respond(exchange, {
        address: this.#guard.addressOf(headers.host, this.#path),
        needsFixedToken: this.#needsFixedToken,
      });
    this.#guard.check(headers, () => exchange.port);
    if (headers.origin !== undefined) exchange.extraHeaders = corsHeaders(headers.origin);
    if (path === undefined) throw new HttpError(400, "Request target does not match this host.");
    if (this.#isClosing) throw shuttingDown();
    if (path === this.#path) return this.#serveEndpoint(exchange);
    const legacyMethod = this.#legacySse?.methodOf(path);
    if (this.#legacySse !== undefined && legacyMethod !== undefined) return this.#serveLegacySse(this.#legacySse, exchange, legacyMethod);
    if (this.#access?.isMetadataPath(path) !== true)
      throw new HttpError(404, `Not found: ${truncate(path)} is not the MCP endpoint, which is ${this.#path}.`);
    if (isMethodAllowed(exchange, ["GET"])) this.#access.describe(exchange);
  }

  /** A path before the app has removed a prefix of it. Below a prefix of its own the app may have removed all of the path. */
  #mountedPath(original: string, path: string | undefined): string | undefined {
    if (this.#hasPath(original)) return original;
    return path === "/" && original.endsWith(this.#path) ? this.#path : path;
  }

  #hasPath(path: string | undefined): boolean {
    if (path === undefined) return false;
    if (path === this.#path || this.#legacySse?.methodOf(path) !== undefined) return true;
    return this.#pages?.has(path, this.#path) === true || this.#access?.isMetadataPath(path) === true;
  }

  async #serveEndpoint(exchange: HttpExchange): Promise<void> {
    const isStateless = isStatelessVersion(exchange.headers);
    if (!isMethodAllowed(exchange, isStateless ? STATELESS_METHODS : SESSION_METHODS)) return;
    const auth = await this.#access?.admit(exchange);
    this.#setCaller(exchange, auth);
    if (exchange.method === "GET") return this.#sessions.get(exchange, auth);
    if (exchange.method === "DELETE") return this.#sessions.delete(exchange, auth);
    checkContentType(exchange.headers);
    checkAccept(exchange.headers);
    const message = await this.#receive(exchange, auth);
    if (!isStateless && !message.isStateless) return this.#sessions.post(exchange, message, auth);
    if (this.#node !== undefined) await this.#node.ready;
    return this.#stateless.post(exchange, message, auth);
  }

  async #serveLegacySse(legacySse: LegacySse, exchange: HttpExchange, method: "GET" | "POST"): Promise<void> {
    if (!isMethodAllowed(exchange, [method])) return;
    const auth = await this.#access?.admit(exchange);
    this.#setCaller(exchange, auth);
    if (method === "GET") return legacySse.get(exchange, auth);
    checkContentType(exchange.headers);
    legacySse.post(exchange, await this.#receive(exchange, auth), auth);
  }

  /** Finds out whose limits a request counts in. */
  #setCaller(exchange: HttpExchange, auth: Auth | undefined): void {
    exchange.caller = this.#callers?.(auth?.principal, exchange.remoteAddress);
  }

  /** Reads the message of a POST and checks that the caller may send it. */
  async #receive(exchange: HttpExchange, auth: Auth | undefined): Promise<IncomingMessage> {
    const { limits } = this.runtime;
    const message = parseMessage(await exchange.readBody(limits.messageBytes, budgetOf(exchange, this.#bodies)), limits);
    if (message.kind === "unreadable") throw new HttpError(400, message.error.message, { code: message.error.code });
    if (auth !== undefined) this.#access?.authorize(exchange, auth, message.value);
    checkCaller(exchange.caller, message, this.runtime.watches);
    const caller = exchange.caller?.name ?? auth?.principal;
    if (hasRate(limits, caller)) await checkRate(this.#rates, message, caller);
    adoptTrace(message, exchange.headers);
    if (auth !== undefined) await checkOngoingWork(exchange, () => this.runtime.mayChange(message, auth.principal));
    // The server may have begun to close while the token was checked or the body arrived.
    if (this.#isClosing) throw shuttingDown();
    return message;
  }

  // ── clock and end ─────────────────────────────────────────────────────────────────────────────────────────────────

  #tick(now = performance.now()): void {
    for (const endpoint of this.#endpoints) endpoint.tick(now);
  }

  counts(): HttpCounts {
    const all = this.#endpoints.map((endpoint) => endpoint.counts());
    const sumOf = (count: keyof HttpCounts): number => all.reduce((sum, counts) => sum + counts[count], 0);
    return { sessions: sumOf("sessions"), streams: sumOf("streams"), running: sumOf("running") };
  }

  /** Refuses new requests, lets those in flight finish within the time, then ends everything. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const end = performance.now() + graceMs;
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close(graceMs)));
    if (this.#node !== undefined) await this.runtime.settle(Math.max(0, end - performance.now()));
    await this.#node?.withdraw();
    clearInterval(this.#clock);
    await this.runtime.close();
    this.#node?.close();
  }
}
