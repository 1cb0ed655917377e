// An HTTP endpoint: sends requests with the configured headers and token, and removes secrets from errors.
import { asError, HttpStatusError, InterruptedError, InvalidResponseError } from "../../errors.ts";
import { MAX_AUTHORIZATION_RETRIES, type Authorization } from "./authorization.ts";
import { discardBody, readStart, readText } from "./response-body.ts";
import { SecretRedaction } from "./secret-redaction.ts";

/** A server behind HTTP. */
export interface HttpServerAddress {
  /** The endpoint, such as "http://127.0.0.1:3920/mcp". */
  url: string | URL;
  /** Headers of every request. Headers of the protocol take precedence. */
  headers?: Readonly<Record<string, string>>;
  /** A bearer token, or a function that returns the token of each request. */
  token?: string | (() => string | Promise<string>);
  /** Obtains tokens when the server demands them, as those of `@oarlock/client/oauth` do. Cannot be combined with `token`. */
  authorize?: Authorization;
  /** Default: the global `fetch`. `toFetch` of the kit returns one that needs no network. */
  fetch?: FetchFunction;
}

/** Compatible with the global `fetch`, called with a request and its signal. */
export type FetchFunction = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

export interface HttpRequestOptions {
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Default: the URL of the endpoint. */
  url?: URL;
  signal: AbortSignal;
}

/** As a missing slash at the end of the path needs. */
const MAX_REDIRECTS = 3;

/** Enough for a JSON-RPC error in the body. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

export class HttpEndpoint {
  readonly url: URL;
  readonly #headers: Headers;
  readonly #token: HttpServerAddress["token"];
  readonly #authorization: Authorization | undefined;
  readonly #fetch: FetchFunction;
  readonly #secrets = new SecretRedaction();

  /** Throws a TypeError for an unusable URL or header, without its value. */
  constructor({ url, headers = {}, token, authorize, fetch = globalThis.fetch }: HttpServerAddress) {
    const parsed = URL.parse(String(url));
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError("Invalid url: expected an http or https URL");
    if (parsed.username !== "" || parsed.password !== "")
      throw new TypeError("Invalid url: expected no user name or password. Use headers instead.");
    try {
      this.#headers = new Headers(headers);
    } catch {
      throw new TypeError("Invalid headers: expected names and values that HTTP allows");
    }
    this.url = parsed;
    if (token !== undefined && authorize !== undefined) throw new TypeError("Invalid options token and authorize: expected one of them");
    this.#token = token;
    this.#authorization = authorize;
    this.#fetch = fetch;
    for (const value of [...this.#headers.values(), ...parsed.searchParams.values()]) this.addSecret(value.replace(/^\w+ +/, ""));
  }

  /** Removes this text from all errors from now on. */
  addSecret(secret: string): void {
    this.#secrets.add(secret);
  }

  /** Identifies the current user to the server, such as the access token. */
  async cacheIdentity(): Promise<string | undefined> {
    return this.#authorization === undefined ? this.#currentToken() : this.#authorization.cacheIdentity(this.url);
  }

  async #currentToken(): Promise<string | undefined> {
    return typeof this.#token === "function" ? await this.#token() : this.#token;
  }

  /**
   * Sends a request, and sends it again with other credentials when the server demands them; returns the response with any status.
   * Throws an `InterruptedError` without a response.
   */
  async request(options: HttpRequestOptions): Promise<Response> {
    const request = { method: options.method, url: options.url ?? this.url, server: this.url };
    for (let retries = 0; ; retries++) {
      const headers = await unlessAborted(this.#headersOf(options, request), options.signal);
      const response = await this.#send(options, headers);
      const isRefused = response.status === 401 || response.status === 403;
      if (!isRefused || this.#authorization === undefined || retries === MAX_AUTHORIZATION_RETRIES) return response;
      // Ending a session must not start a login.
      if (options.method === "DELETE") return response;
      const authorization = headers.get("authorization") ?? undefined;
      const challenge = { ...request, status: response.status, headers: response.headers, authorization, retries };
      // A login that outlasts the request continues, for the next request.
      if (!(await unlessAborted(this.#authorization.answer(challenge), options.signal))) return response;
      await discardBody(response);
    }
  }

  async #headersOf({ headers }: HttpRequestOptions, request: { method: string; url: URL; server: URL }): Promise<Headers> {
    const allHeaders = new Headers(this.#headers);
    const token = await this.#currentToken();
    if (token !== undefined) allHeaders.set("authorization", `Bearer ${this.#checkedToken(token)}`);
    for (const [name, value] of Object.entries((await this.#authorization?.headers(request)) ?? {})) {
      const [scheme = "", credentials] = value.split(" ");
      // A value without a scheme is a proof, which is used once.
      allHeaders.set(name, credentials === undefined ? checkedToken(scheme) : `${scheme} ${this.#checkedToken(credentials)}`);
    }
    for (const [name, value] of Object.entries(headers)) allHeaders.set(name, value);
    return allHeaders;
  }

  async #send({ method, body, url = this.url, signal }: HttpRequestOptions, headers: Headers): Promise<Response> {
    let target = url;
    for (let redirects = 0; ; redirects++) {
      signal.throwIfAborted();
      const request = new Request(target, { method, headers, ...(body !== undefined && { body }), redirect: "manual", signal });
      let response: Response;
      try {
        // The signal in the request is for functions that take one argument; Node's fetch loses it together with the request.
        response = await this.#fetch(request, { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw new InterruptedError(`No response to ${method}: ${this.describeError(error)}`, error);
      }
      const next = redirects < MAX_REDIRECTS ? redirectWithin(target, response) : undefined;
      if (next === undefined) return response;
      await discardBody(response);
      target = next;
    }
  }

  /** The innermost message of an error, without secrets. */
  describeError(error: unknown): string {
    let innermost = asError(error);
    while (innermost.cause instanceof Error) innermost = innermost.cause;
    // A connection attempt to several addresses has several reasons, and no message of its own.
    if (innermost instanceof AggregateError && innermost.errors.length > 0) return this.describeError(innermost.errors[0]);
    return this.#secrets.apply(innermost.message);
  }

  /** The error of a response that is not successful, and its body. */
  async toError(method: HttpRequestOptions["method"], response: Response): Promise<{ error: HttpStatusError; body: string }> {
    const body = await readStart(response, MAX_ERROR_BODY_BYTES);
    const challenge = response.headers.get("www-authenticate");
    const details = { body: this.#secrets.apply(body), ...(challenge !== null && { wwwAuthenticate: this.#secrets.apply(challenge) }) };
    return { error: new HttpStatusError(method, response.status, { ...details, location: this.#redirectOf(response) }), body };
  }

  /** Where a redirect leads, without its query, which may hold a secret. */
  #redirectOf({ status, headers }: Response): string | undefined {
    const location = status >= 300 && status < 400 ? headers.get("location") : null;
    const target = location === null ? null : URL.parse(location, this.url.href);
    return target === null ? undefined : this.#secrets.apply(`${target.origin}${target.pathname}`);
  }

  /** The complete body. Throws an `InterruptedError` if it ends early. */
  async readText(response: Response): Promise<string> {
    try {
      return await readText(response);
    } catch (error) {
      if (error instanceof InvalidResponseError) throw error;
      throw new InterruptedError(`The response ended early: ${this.describeError(error)}`);
    }
  }

  #checkedToken(token: string): string {
    this.#secrets.addToken(checkedToken(token));
    return token;
  }
}

/** Where a redirect that keeps method and body leads. Another origin would get the session and the token, so such a redirect is an error. */
function redirectWithin({ origin, href }: URL, { status, headers }: Response): URL | undefined {
  const location = status === 307 || status === 308 ? headers.get("location") : null;
  const target = location === null ? null : URL.parse(location, href);
  return target?.origin === origin && target.username === "" && target.password === "" ? target : undefined;
}

/** Checked here because the error of `Headers` would contain the token. */
function checkedToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("Invalid token: expected visible ASCII characters without spaces");
  return token;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(asError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
