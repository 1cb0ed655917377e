// guardedFetch: requests of authorization, limited to allowed addresses, without redirects, and bounded in size and time.
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { IncomingMessage } from "node:http";
import { AuthorizationError } from "./oauth-error.ts";
import type { NetworkPolicy } from "./network-policy.ts";

export interface FetchInit {
  method?: string;
  headers?: Headers | Record<string, string> | [string, string][];
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** Compatible with the custom fetch of `oauth4webapi`. */
export type GuardedFetch = (url: string | URL, init?: FetchInit) => Promise<Response>;

const TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 256 * 1024;

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** A function like `fetch` under a policy. The address is checked when the connection is made, so a name cannot change in between. */
export function guardedFetch(policy: NetworkPolicy, signal?: AbortSignal): GuardedFetch {
  return async (url, init = {}) => {
    const target = new URL(url);
    policy.checkUrl(target, `URL ${withoutQuery(target)}`);
    const checkedLookup = (host: string, options: LookupOptions, callback: LookupCallback): void => {
      lookup(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, []);
        try {
          for (const { address } of addresses) policy.checkAddress(address, `URL ${withoutQuery(target)}`);
        } catch (refusal) {
          return callback(refusal as Error, []); // checkAddress throws an AuthorizationError only
        }
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
      });
    };
    const signals = [AbortSignal.timeout(TIMEOUT_MS), signal, init.signal].filter((one) => one instanceof AbortSignal);
    const response = await send(target, init, { lookup: checkedLookup, signal: AbortSignal.any(signals) });
    const body = await readBody(response).catch((error: unknown) => Promise.reject(toError(error, target)));
    const status = response.statusCode ?? 500;
    if (status >= 300 && status < 400) throw new AuthorizationError(`Redirect from ${withoutQuery(target)} refused: expected a document`);
    return new Response([204, 205].includes(status) ? null : body, { status, headers: headersOf(response) });
  };
}

function send(target: URL, init: FetchInit, options: object): Promise<IncomingMessage> {
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = init.body instanceof URLSearchParams ? init.body.toString() : typeof init.body === "string" ? init.body : undefined;
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    // No agent: a connection is used once, so that its address was checked for this request.
    const outgoing = request(target, { method: init.method ?? "GET", headers, agent: false, ...options }, resolve);
    outgoing.on("error", (error) => reject(toError(error, target)));
    outgoing.end(body);
  });
}

const toError = (error: unknown, target: URL): AuthorizationError =>
  error instanceof AuthorizationError
    ? error
    : new AuthorizationError(`No response from ${withoutQuery(target)}: ${error instanceof Error ? error.message : "connection lost"}`);

async function readBody(response: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) {
      response.destroy();
      throw new AuthorizationError(`Response too long: expected at most ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  return headers;
}

const withoutQuery = (url: URL): string => `${url.origin}${url.pathname}`;
