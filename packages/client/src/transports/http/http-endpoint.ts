// One HTTP exchange with a server: its address, our headers and token, what a refusal says, and which words must not get out.
import { asError, HttpRefused, Interrupted } from "../../errors.ts";
import { startOf } from "./response-body.ts";

/** A server behind HTTP. */
export interface HttpServerAddress {
  /** Its endpoint, as "http://127.0.0.1:3920/mcp". */
  url: string | URL;
  /** Sent with every request; those of the protocol have precedence. */
  headers?: Readonly<Record<string, string>>;
  /** A bearer token, or what gives one; asked for each request. */
  token?: string | (() => string | Promise<string>);
  /** Default: the platform's. `toFetch` of the kit gives one that needs no network. */
  fetch?: Fetch;
}

/** As the platform's fetch, where it is given a request and the signal that ends it. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

export interface Ask {
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Default: the address itself. */
  url?: URL;
  signal: AbortSignal;
}

/** So much of a refusal is read: enough for an error of the protocol. */
const REFUSAL_BYTES = 64 * 1024;
/** Shorter values are no secrets, and would be found everywhere. */
const SHORTEST_SECRET = 6;

export class Door {
  readonly url: URL;
  readonly #headers: Headers;
  readonly #token: HttpServerAddress["token"];
  readonly #fetch: Fetch;
  readonly #secrets = new Set<string>();

  /** Throws a TypeError on an address or header that cannot be used, and does not say what stood there. */
  constructor({ url, headers = {}, token, fetch = globalThis.fetch }: HttpServerAddress) {
    const parsed = URL.parse(String(url));
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError("url: expected an http or https address");
    if (parsed.username !== "" || parsed.password !== "") throw new TypeError("url: names and passwords in it are not sent; use headers");
    try {
      this.#headers = new Headers(headers);
    } catch {
      throw new TypeError("headers: a name or value that HTTP does not allow");
    }
    this.url = parsed;
    this.#token = token;
    this.#fetch = fetch;
    for (const value of [...this.#headers.values(), ...parsed.searchParams.values()]) this.hide(value.replace(/^\w+ +/, ""));
  }

  /** From here on this text is left out of all errors. */
  hide(secret: string): void {
    if (secret.length >= SHORTEST_SECRET) this.#secrets.add(secret);
  }

  /** A text of the server without what is secret. */
  clean(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, "[hidden]");
    return clean;
  }

  async currentToken(): Promise<string | undefined> {
    return typeof this.#token === "function" ? await this.#token() : this.#token;
  }

  /** Any status is an answer; throws `Interrupted` when there is none. */
  async ask({ method, headers, body, url = this.url, signal }: Ask): Promise<Response> {
    const all = new Headers(this.#headers);
    const token = await this.currentToken();
    if (token !== undefined) all.set("authorization", `Bearer ${this.#checkedToken(token)}`);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    signal.throwIfAborted();
    // A redirection could carry the session and the token elsewhere: it is told as a refusal.
    const request = new Request(url, { method, headers: all, ...(body !== undefined && { body }), redirect: "manual", signal });
    try {
      // The signal inside is for those who take a request alone; Node's fetch loses it together with the request.
      return await this.#fetch(request, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new Interrupted(`No answer to the ${method}: ${this.reason(error)}`);
    }
  }

  /** Why something failed, in words that hide what is secret. */
  reason(error: unknown): string {
    let deepest = asError(error);
    while (deepest.cause instanceof Error) deepest = deepest.cause;
    // Where several addresses were tried there are several reasons, and no message.
    if (deepest instanceof AggregateError && deepest.errors.length > 0) return this.reason(deepest.errors[0]);
    return this.clean(deepest.message);
  }

  /** The error for an answer that is none, and what stood in it. */
  async refusal(method: Ask["method"], response: Response): Promise<{ error: HttpRefused; body: string }> {
    const body = await startOf(response, REFUSAL_BYTES);
    const challenge = response.headers.get("www-authenticate");
    const said = { body: this.clean(body), ...(challenge !== null && { wwwAuthenticate: this.clean(challenge) }) };
    return { error: new HttpRefused(method, response.status, said), body };
  }

  #checkedToken(token: string): string {
    // The platform's own error would show it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("token: expected visible ASCII characters without blanks");
    this.hide(token);
    return token;
  }
}
