// Access: authenticates requests by their token, checks the scope that a message needs, and serves the resource metadata.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import type { Awaitable } from "../../../features/awaitable.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { describeError } from "../../../protocol/errors.ts";
import type { Server } from "../../../runtime/define.ts";
import { nameInMessage } from "../../../features/schema/schema.ts";
import { mayChange } from "../../../features/tools/tool-calls.ts";
import { mayRename } from "../../../runtime/middleware.ts";
import { isObject } from "../../../wire/json-rpc.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { RequestHeaders } from "../request-headers.ts";
import { HttpError, JSON_HEADERS } from "../responses.ts";
import type { Observer } from "../../../runtime/request/observer.ts";
import { includesScope, NO_LOGIN, parseBearer, type Denied, type RequestAuthenticator } from "./authenticator.ts";
import { RefusalLog } from "./refusal-log.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export interface AccessOptions {
  server: Server;
  /** Path of the MCP runtime. */
  path: string;
  auth: RequestAuthenticator;
  /** Prefix of scopes: `filesystem` for `filesystem:read`. */
  scope: string;
  log(level: "warning", data: unknown): void;
  observer?: Observer | undefined;
}

export class Access {
  readonly #options: AccessOptions;
  readonly #refusals: RefusalLog;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#refusals = new RefusalLog(options.log);
  }

  /** Verifies the token of a request. The scope of a POST depends on its message, which is checked later; everything else reads. */
  async admit(exchange: HttpExchange): Promise<Auth> {
    const auth = await this.authenticate(exchange);
    exchange.expiresAt = auth.expiresAt;
    if (exchange.method !== "POST") this.authorize(exchange, auth);
    if (!this.#has(auth, "write")) exchange.refuseWrite = () => this.#insufficient(exchange, auth, this.#scopes.write);
    return auth;
  }

  /** Verifies the token of a request. Throws an HttpError: 401 with a challenge, or 503 when it cannot be verified now. */
  async authenticate(exchange: HttpExchange): Promise<Auth> {
    const { auth } = this.#options;
    const { callerOf } = auth;
    if (callerOf !== undefined) return this.#accepted(exchange, await this.#verify(() => callerOf(exchange.source)));
    const { authorization } = exchange.headers;
    if (authorization === undefined) throw this.#unauthorized(exchange, undefined);
    const token = parseBearer(authorization);
    if (token === undefined) throw this.#unauthorized(exchange, "the Authorization header has no bearer token");
    return this.#accepted(exchange, await this.#verify(() => auth.check(token)));
  }

  #accepted(exchange: HttpExchange, result: Auth | Denied): Auth {
    if ("denied" in result) throw this.#unauthorized(exchange, result.denied);
    return result;
  }

  async #verify(check: () => Awaitable<Auth | Denied>): Promise<Auth | Denied> {
    try {
      return await check();
    } catch (error) {
      this.#options.log("warning", `Access not verified: ${describeError(error)}`);
      throw new HttpError(503, "Access cannot be verified now. Retry shortly.", { headers: ["Retry-After", "5"] });
    }
  }

  /** Throws an HttpError (403) when the token lacks the scope that a message needs. Without a message, reading is enough. */
  authorize(exchange: HttpExchange, auth: Auth, message?: unknown): void {
    const kind = this.#kindOf(message);
    if (!this.#has(auth, kind)) throw this.#insufficient(exchange, auth, this.#scopes[kind]);
  }

  #insufficient(exchange: HttpExchange, { principal }: Auth, needed: string): HttpError {
    const { headers, method } = exchange;
    this.#refusals.add(exchange, `the token of ${nameInMessage(principal)} lacks the scope ${needed}`, { status: 403 });
    this.#options.observer?.requestRefused?.({ method, status: 403 });
    const parameters = [`error="insufficient_scope"`, `error_description="this needs the scope ${needed}"`];
    const challenge = this.#challenge(headers, needed, parameters);
    return new HttpError(403, `Insufficient scope: expected ${needed}.`, { headers: ["WWW-Authenticate", challenge] });
  }

  /** A call of a tool that may change something needs the scope for writing. */
  #kindOf(message: unknown): "read" | "write" {
    const { server } = this.#options;
    const writes = (one: unknown): boolean =>
      isObject(one) &&
      one.method === "tools/call" &&
      isObject(one.params) &&
      mayChange(server.tools, one.params, mayRename(server.middleware));
    return (Array.isArray(message) ? message.some(writes) : writes(message)) ? "write" : "read";
  }

  get #scopes(): { readonly read: string; readonly write: string } {
    const { auth, scope } = this.#options;
    return auth.scopes ?? { read: `${scope}:read`, write: `${scope}:write` };
  }

  /** The scope for writing includes that for reading. */
  #has({ scopes }: Auth, kind: "read" | "write"): boolean {
    const { read, write } = this.#scopes;
    return includesScope(scopes, write) || (kind === "read" && includesScope(scopes, read));
  }

  #unauthorized(exchange: HttpExchange, reason: string | undefined): HttpError {
    const { headers, method } = exchange;
    const { auth, observer } = this.#options;
    observer?.requestRefused?.({ method, status: 401 });
    // With an authorization server a client begins without a token, to learn where to log in.
    if (auth.callerOf !== undefined) this.#refusals.add(exchange, "the app has no login for it");
    else if (reason !== undefined) this.#refusals.add(exchange, `the access token is invalid (${toQuotable(reason)})`);
    else if (auth.metadata === undefined) this.#refusals.add(exchange, "it has no access token");
    const parameters = reason === undefined ? [] : [`error="invalid_token"`, `error_description="${toQuotable(reason)}"`];
    const challenge = this.#challenge(headers, this.#scopes.read, parameters);
    const missing = auth.callerOf === undefined ? "Missing bearer token." : "Missing login.";
    const message = reason === undefined || reason === NO_LOGIN ? missing : "Invalid access token.";
    return new HttpError(401, message, { headers: ["WWW-Authenticate", challenge] });
  }

  /** The value of a WWW-Authenticate header. https://www.rfc-editor.org/rfc/rfc9728#section-5.1 */
  #challenge(headers: RequestHeaders, scope: string, parameters: readonly string[]): string {
    const { auth, scope: realm } = this.#options;
    const source =
      auth.metadata === undefined
        ? [`realm="${realm}"`]
        : [`resource_metadata="${this.#metadataUrl(headers, auth.metadata.resource)}"`, `scope="${scope}"`];
    return `Bearer ${[...source, ...parameters].join(", ")}`;
  }

  /** Built from the public name of the resource; on loopback from the Host header, which the guard has checked. */
  #metadataUrl({ host }: RequestHeaders, resource: string): string {
    const url = URL.canParse(resource) ? new URL(resource) : undefined;
    if (url?.protocol === "https:") return `${url.origin}${WELL_KNOWN}${url.pathname === "/" ? "" : url.pathname}`;
    return `http://${host}${WELL_KNOWN}${this.#options.path}`;
  }

  /** Whether the resource metadata is served at this path. */
  isMetadataPath(path: string): boolean {
    const { auth, path: endpointPath } = this.#options;
    if (auth.metadata === undefined || !path.startsWith(WELL_KNOWN)) return false;
    const { resource } = auth.metadata;
    const publicPath = URL.canParse(resource) ? new URL(resource).pathname : "/";
    return ["", "/", endpointPath, publicPath].includes(path.slice(WELL_KNOWN.length));
  }

  /** Responds with the resource metadata. */
  describe(exchange: HttpExchange): void {
    const { auth, server } = this.#options;
    const { read, write } = this.#scopes;
    const metadata = {
      ...auth.metadata,
      scopes_supported: [read, write],
      bearer_methods_supported: ["header"],
      resource_name: server.info.title ?? server.info.name,
    };
    exchange.respond(200, JSON_HEADERS, JSON.stringify(metadata));
  }
}

/** Replaces what a quoted string of a header may not have. */
const toQuotable = (text: string): string => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
