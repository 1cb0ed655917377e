// An HTTP endpoint: sends requests with the configured headers and token, and removes secrets from errors.
import { asError, HttpStatusError, InterruptedError } from "../../errors.ts";
import { readStart } from "./response-body.ts";

/** A server behind HTTP. */
export interface HttpServerAddress {
  /** The endpoint, such as "http://127.0.0.1:3920/mcp". */
  url: string | URL;
  /** Headers of every request. Headers of the protocol take precedence. */
  headers?: Readonly<Record<string, string>>;
  /** A bearer token, or a function that returns the token of each request. */
  token?: string | (() => string | Promise<string>);
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

/** Enough for a JSON-RPC error in the body. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** Shorter values are not treated as secrets: they occur in ordinary text. */
const MIN_SECRET_LENGTH = 6;

export class HttpEndpoint {
  readonly url: URL;
  readonly #headers: Headers;
  readonly #token: HttpServerAddress["token"];
  readonly #fetch: FetchFunction;
  readonly #secrets = new Set<string>();

  /** Throws a TypeError for an unusable URL or header, without its value. */
  constructor({ url, headers = {}, token, fetch = globalThis.fetch }: HttpServerAddress) {
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
    this.#token = token;
    this.#fetch = fetch;
    for (const value of [...this.#headers.values(), ...parsed.searchParams.values()]) this.addSecret(value.replace(/^\w+ +/, ""));
  }

  /** Removes this text from all errors from now on. */
  addSecret(secret: string): void {
    if (secret.length >= MIN_SECRET_LENGTH) this.#secrets.add(secret);
  }

  #redact(text: string): string {
    let redacted = text;
    for (const secret of this.#secrets) redacted = redacted.replaceAll(secret, "[hidden]");
    return redacted;
  }

  async currentToken(): Promise<string | undefined> {
    return typeof this.#token === "function" ? await this.#token() : this.#token;
  }

  /** Sends a request; returns the response with any status. Throws an `InterruptedError` without a response. */
  async request({ method, headers, body, url = this.url, signal }: HttpRequestOptions): Promise<Response> {
    const allHeaders = new Headers(this.#headers);
    const token = await this.currentToken();
    if (token !== undefined) allHeaders.set("authorization", `Bearer ${this.#checkedToken(token)}`);
    for (const [name, value] of Object.entries(headers)) allHeaders.set(name, value);
    signal.throwIfAborted();
    // A redirect could send the session and the token elsewhere, so it is reported as an error.
    const request = new Request(url, { method, headers: allHeaders, ...(body !== undefined && { body }), redirect: "manual", signal });
    try {
      // The signal in the request is for functions that take one argument; Node's fetch loses it together with the request.
      return await this.#fetch(request, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new InterruptedError(`No response to ${method}: ${this.describeError(error)}`);
    }
  }

  /** The innermost message of an error, without secrets. */
  describeError(error: unknown): string {
    let innermost = asError(error);
    while (innermost.cause instanceof Error) innermost = innermost.cause;
    // A connection attempt to several addresses has several reasons, and no message of its own.
    if (innermost instanceof AggregateError && innermost.errors.length > 0) return this.describeError(innermost.errors[0]);
    return this.#redact(innermost.message);
  }

  /** The error of a response that is not successful, and its body. */
  async toError(method: HttpRequestOptions["method"], response: Response): Promise<{ error: HttpStatusError; body: string }> {
    const body = await readStart(response, MAX_ERROR_BODY_BYTES);
    const challenge = response.headers.get("www-authenticate");
    const details = { body: this.#redact(body), ...(challenge !== null && { wwwAuthenticate: this.#redact(challenge) }) };
    return { error: new HttpStatusError(method, response.status, details), body };
  }

  #checkedToken(token: string): string {
    // Checked here because the error of `Headers` would contain the token.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("Invalid token: expected visible ASCII characters without spaces");
    this.addSecret(token);
    return token;
  }
}
