// The rules of Streamable HTTP, over any face: who is let in, what is well formed, and which session it is for.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
import type { Server } from "../../server/define.ts";
import { Runtime, type RuntimeOptions } from "../../server/endpoint.ts";
import { parseMessage, MessageError } from "../../server/parse-message.ts";
import type { Auth } from "../../protocol/auth.ts";
import { describeError } from "../../protocol/errors.ts";
import { INTERNAL_ERROR, PARSE_ERROR } from "../../wire/json-rpc.ts";
import { Access } from "./guard/access.ts";
import { answerError } from "./responses.ts";
import type { Authenticator } from "./guard/authenticator.ts";
import type { HttpExchange } from "./exchange.ts";
import { acceptsEvents, acceptsJson, isJson } from "./request-headers.ts";
import { corsHeaders, Guard, preflight } from "./guard/host-guard.ts";
import { LegacySse } from "./legacy-sse.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./http-limits.ts";
import { SessionRules } from "./session/session-endpoint.ts";
import { isAlone, StatelessRules } from "./stateless/stateless-endpoint.ts";

/** How a server is run over HTTP, whatever listens. */
export interface HttpOptions extends RuntimeOptions {
  /** The path of the endpoint. Default `/mcp`. */
  path?: string;
  /** Host names let in besides the loopback ones, each with or without a port. */
  allowedHosts?: readonly string[];
  /** Origins of web pages let in besides the server's own on loopback. */
  allowedOrigins?: readonly string[];
  /** Who may come in. Default: everybody who gets past the guard. */
  auth?: Authenticator;
  /** What scopes begin with: `files` for `files:read` and `files:write`. Default: the server's name. */
  scope?: string;
  /** Serves the endpoint pair of 2024-11-05 as well: `GET /sse`, `POST /messages`. Default false. */
  legacySse?: boolean;
  http?: Partial<HttpLimits>;
}

/** What is there at the moment. */
export interface HttpCounts {
  sessions: number;
  /** Event streams that somebody reads. */
  streams: number;
  /** Requests without an answer. */
  running: number;
}

/** How often time limits and idle streams are looked at. */
const TICK_MS = 250;

export class HttpHandler {
  readonly endpoint: Runtime;
  readonly #guard: Guard;
  readonly #path: string;
  readonly #access: Access | undefined;
  readonly #sessions: SessionRules;
  readonly #stateless: StatelessRules;
  readonly #legacy: LegacySse | undefined;
  readonly #clock: ReturnType<typeof setInterval>;
  #closing = false;

  constructor(server: Server, options: HttpOptions & { host?: string | undefined } = {}) {
    const { path = "/mcp", auth, scope = server.info.name } = options;
    this.#guard = new Guard(options);
    this.endpoint = new Runtime(server, options);
    this.#path = path;
    this.#access = auth && new Access({ server, path, auth, scope, log: this.endpoint.log });
    const limits = { ...DEFAULT_HTTP_LIMITS, ...options.http };
    this.#sessions = new SessionRules(this.endpoint, limits);
    this.#stateless = new StatelessRules(this.endpoint, limits);
    this.#legacy = options.legacySse === true ? new LegacySse(this.endpoint, limits) : undefined;
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
    (this.#clock as { unref?(): void }).unref?.();
  }

  /** Takes one request; never throws. */
  handle(exchange: HttpExchange): void {
    const { server } = this.endpoint;
    if (!server.isLoading) return this.#safely(exchange, () => this.#judge(exchange));
    void server.ready().then(
      () => this.#safely(exchange, () => this.#judge(exchange)),
      (error: unknown) => this.#failed(exchange, error),
    );
  }

  /** Nothing that a client sends may end the process; that it got this far is a fault of ours. */
  #safely(exchange: HttpExchange, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#failed(exchange, error);
    }
  }

  #failed(exchange: HttpExchange, error: unknown): void {
    this.endpoint.log("error", `HTTP: ${describeError(error)}`);
    answerError(exchange, 500, "Internal error", { code: INTERNAL_ERROR });
  }

  #judge(exchange: HttpExchange): void {
    const { fields, path } = exchange;
    const refusal = this.#guard.judge(fields, () => exchange.port);
    if (refusal !== undefined) return answerError(exchange, refusal.status, refusal.message);
    if (fields.origin !== undefined) exchange.extra = corsHeaders(fields.origin);
    if (path === undefined) return answerError(exchange, 400, "The target of the request is no path of this host");
    if (this.#closing) return answerError(exchange, 503, "The server is shutting down", { headers: ["Connection", "close"] });
    if (path === this.#path) return this.#endpointRequest(exchange);
    const verb = this.#legacy?.verbOf(path);
    if (verb !== undefined) {
      return this.#allowed(exchange, [verb]) ? this.#admit(exchange, (auth) => this.#legacyRequest(exchange, verb, auth)) : undefined;
    }
    if (this.#access?.describes(path) === true) return this.#allowed(exchange, ["GET"]) ? this.#access.describe(exchange) : undefined;
    answerError(exchange, 404, "Not found");
  }

  #endpointRequest(exchange: HttpExchange): void {
    // The newest era has nothing but POST.
    if (!this.#allowed(exchange, isAlone(undefined, exchange.fields) ? ["POST"] : VERBS)) return;
    this.#admit(exchange, (auth) => {
      switch (exchange.method) {
        case "POST":
          return this.#post(exchange, auth, (message) => {
            const rules = isAlone(message, exchange.fields) ? this.#stateless : this.#sessions;
            rules.post(exchange, message, auth);
          });
        case "GET":
          return this.#sessions.get(exchange, auth);
        default:
          return this.#sessions.delete(exchange, auth);
      }
    });
  }

  #legacyRequest(exchange: HttpExchange, verb: string, auth: Auth | undefined): void {
    if (verb === "GET") this.#legacy?.open(exchange, auth);
    else this.#post(exchange, auth, (message) => this.#legacy?.post(exchange, message, auth));
  }

  /** False when the verb is not among those that the path has; then it is answered. */
  #allowed(exchange: HttpExchange, verbs: readonly string[]): boolean {
    const { method, fields } = exchange;
    if (verbs.includes(method) && fields.upgrade?.toLowerCase() !== "websocket") return true;
    const headers = ["Allow", verbs.join(", ")];
    if (method === "OPTIONS")
      exchange.answer(204, fields.origin === undefined ? headers : [...headers, ...preflight(fields.wantedHeaders)]);
    else answerError(exchange, 405, "Method not allowed", { headers });
    return false;
  }

  #admit(exchange: HttpExchange, next: (auth: Auth | undefined) => void): void {
    const access = this.#access;
    if (access === undefined) return next(undefined);
    access.admit(exchange, (auth) => {
      // What a POST may do depends on its message; everything else is reading.
      this.#safely(exchange, () => {
        if (exchange.method === "POST" || access.permits(exchange, auth, undefined)) next(auth);
      });
    });
  }

  /** Reads the message of a POST, as far as it is one that the caller may send. */
  #post(exchange: HttpExchange, auth: Auth | undefined, next: (message: unknown) => void): void {
    const { contentType, contentEncoding, accept } = exchange.fields;
    if (!isJson(contentType)) return answerError(exchange, 415, "Content-Type: expected application/json in UTF-8");
    if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
      return answerError(exchange, 415, "Content-Encoding: compressed bodies are not taken", { headers: ["Accept-Encoding", "identity"] });
    }
    // The old pair knows no such rule: its answers come by another way.
    if (exchange.path === this.#path && !(acceptsJson(accept) && acceptsEvents(accept))) {
      return answerError(exchange, 406, "Accept: expected both application/json and text/event-stream");
    }
    const { limits } = this.endpoint;
    exchange.readBody(limits.messageBytes, (body) => {
      if (body === 413) return answerError(exchange, 413, `The body is longer than ${limits.messageBytes} bytes`);
      if (body === 400) return answerError(exchange, 400, "Parse error: not UTF-8", { code: PARSE_ERROR });
      const message = parseMessage(body, limits);
      if (message instanceof MessageError) return answerError(exchange, 400, message.error.message, { code: message.error.code });
      if (auth !== undefined && this.#access?.permits(exchange, auth, message) === false) return;
      this.#safely(exchange, () => next(message));
    });
  }

  #tick(): void {
    const now = performance.now();
    this.#sessions.tick(now);
    this.#stateless.tick(now);
    this.#legacy?.tick(now);
  }

  counts(): HttpCounts {
    const { sessions, streams, running } = this.#sessions.counts();
    const open = this.#legacy?.size ?? 0;
    const alone = this.#stateless;
    return {
      sessions: sessions + open,
      streams: streams + open + alone.streams,
      running: running + alone.running + (this.#legacy?.running ?? 0),
    };
  }

  /** Takes nothing new, lets work in hand finish within the time, then ends everything. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    await Promise.all([this.#sessions.close(graceMs), this.#stateless.close(graceMs), this.#legacy?.close(graceMs)]);
    clearInterval(this.#clock);
    await this.endpoint.close();
  }
}

const VERBS = ["GET", "POST", "DELETE"];
