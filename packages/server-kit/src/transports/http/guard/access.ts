// Who may come in and do what: the token of a request, the challenge of a refusal, and the scope that a message needs.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import { after, isPromise, type Awaitable } from "../../../features/after.ts";
import type { Server } from "../../../server/define.ts";
import { describeError } from "../../../protocol/errors.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { isObject } from "../../../wire/json-rpc.ts";
import { answerError, JSON_HEADERS } from "../responses.ts";
import { covers, tokenOf, type Authenticator, type Denied } from "./authenticator.ts";
import type { HttpExchange } from "../exchange.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export interface AccessOptions {
  server: Server;
  /** The path of the endpoint. */
  path: string;
  auth: Authenticator;
  /** What scopes begin with: `filesystem` for `filesystem:read`. */
  scope: string;
  log(level: "warning", data: unknown): void;
}

export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Judges the token, then goes on, in the same turn if the token can be judged in it; or answers why not. */
  admit(exchange: HttpExchange, next: (auth: Auth) => void): void {
    const { authorization } = exchange.fields;
    const token = authorization === undefined ? undefined : tokenOf(authorization);
    if (token === undefined) {
      return this.#challenge(exchange, authorization === undefined ? undefined : "the Authorization header holds no bearer token");
    }
    const go = (judged: Auth | Denied): void => ("denied" in judged ? this.#challenge(exchange, judged.denied) : next(judged));
    const failed = (error: unknown): void => {
      this.#options.log("warning", `a token could not be checked: ${describeError(error)}`);
      answerError(exchange, 503, "Tokens cannot be checked at the moment", { headers: ["Retry-After", "5"] });
    };
    let judged: Awaitable<Auth | Denied>;
    try {
      judged = this.#options.auth.check(token);
    } catch (error) {
      return failed(error);
    }
    const done = after(judged, go);
    if (isPromise(done)) done.then(undefined, failed);
  }

  #challenge(exchange: HttpExchange, fault: string | undefined): void {
    const more =
      fault === undefined
        ? []
        : [`error="invalid_token"`, `error_description="${fault.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?")}"`];
    const headers = ["WWW-Authenticate", this.#says(exchange, `${this.#options.scope}:read`, more)];
    answerError(exchange, 401, fault === undefined ? "A bearer token is needed" : "The token was not taken", { headers });
  }

  #says(exchange: HttpExchange, scope: string, more: readonly string[]): string {
    const { metadata } = this.#options.auth;
    const home =
      metadata === undefined ? `realm="${this.#options.scope}"` : `resource_metadata="${this.#metadataUrl(exchange, metadata.resource)}"`;
    return `Bearer ${[home, ...(metadata === undefined ? [] : [`scope="${scope}"`]), ...more].join(", ")}`;
  }

  /** By the resource's own name, as the world knows it; on loopback by the name that was asked for, which the guard has checked. */
  #metadataUrl({ fields }: HttpExchange, resource: string): string {
    const { path } = this.#options;
    const url = URL.canParse(resource) ? new URL(resource) : undefined;
    if (url?.protocol === "https:") return `${url.origin}${WELL_KNOWN}${url.pathname === "/" ? "" : url.pathname}`;
    return `http://${fields.host}${WELL_KNOWN}${path}`;
  }

  /** Whether this path is the metadata's. */
  describes(path: string): boolean {
    const { auth, path: own } = this.#options;
    if (auth.metadata === undefined || !path.startsWith(WELL_KNOWN)) return false;
    const { resource } = auth.metadata;
    const outer = URL.canParse(resource) ? new URL(resource).pathname : "/";
    return ["", "/", own, outer].includes(path.slice(WELL_KNOWN.length));
  }

  describe(exchange: HttpExchange): void {
    const { auth, scope, server } = this.#options;
    const said = {
      ...auth.metadata,
      scopes_supported: [`${scope}:read`, `${scope}:write`],
      bearer_methods_supported: ["header"],
      resource_name: server.info.title ?? server.info.name,
    };
    exchange.answer(200, JSON_HEADERS, JSON.stringify(said));
  }

  /** True when the caller may send this; else it is answered with the scope that is needed. */
  permits(exchange: HttpExchange, auth: Auth, message: unknown): boolean {
    const needed = this.#scopeOf(message);
    if (covers(auth.scopes, needed)) return true;
    const said = this.#says(exchange, needed, [`error="insufficient_scope"`, `error_description="this needs the scope ${needed}"`]);
    answerError(exchange, 403, `This needs the scope ${needed}`, { headers: ["WWW-Authenticate", said] });
    return false;
  }

  /** A tool that may change something needs more than reading. */
  #scopeOf(message: unknown): string {
    const { server, scope } = this.#options;
    const writes = (one: unknown): boolean => {
      if (!isObject(one) || one.method !== "tools/call" || !isObject(one.params)) return false;
      const { name } = one.params;
      const tool = typeof name === "string" ? server.tools.get(name) : undefined;
      return tool !== undefined && tool.hints.readOnly !== true;
    };
    return `${scope}:${(Array.isArray(message) ? message.some(writes) : writes(message)) ? "write" : "read"}`;
  }
}
