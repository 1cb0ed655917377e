// The public keys of an authorization server: found by its metadata and read over, never at an address that a token names.
// https://www.rfc-editor.org/rfc/rfc8414#section-3
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";

/** The keys of the authorization server cannot be read. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
  /** Its message says all, in our own words: no log needs the place in our code. */
  readonly expose = true;
}

/** Time for the metadata, and again for the keys. */
const TIMEOUT_MS = 5000;

/** Longer answers are not read. */
const MAX_BODY_BYTES = 256 * 1024;

/** Keys are read again after this time at the latest. */
const KEYS_AGE_MS = 5 * 60_000;

/** Tokens with unknown keys make us ask at most this often. */
const COOLDOWN_MS = 30_000;

/** After a failure no request is sent for this time, so that foreign tokens cannot flood a server that is down. */
const FAILURE_COOLDOWN_MS = 1000;

/** Whether a response from there cannot be read or changed on its way: https, or this machine. */
export function isHttpsOrLoopback(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname));
}

/**
 * Gives the key that a token names. Nothing is asked before the first token. Rejects with `KeysUnavailableError`, and with jose's own
 * errors when the token names no key of this server.
 */
export function remoteKeys(issuer: string): JWTVerifyGetKey {
  const find = withFailureCooldown(() => findKeys(issuer));
  let finding: ReturnType<typeof findKeys> | undefined;
  return async (header, token) => {
    const keys = await (finding ??= find()).catch((error: unknown) => {
      finding = undefined;
      throw keysUnavailable(issuer, error);
    });
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      // Without fresh keys nothing is lost by looking again where they are: the server may have moved them.
      if (!keys.fresh) finding = undefined;
      throw keysUnavailable(issuer, error);
    }
  };
}

async function findKeys(issuer: string): Promise<ReturnType<typeof createRemoteJWKSet>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reasons: unknown[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return keysAt(jwksUri(JSON.parse(await fetchText(url, signal)), issuer));
    } catch (error) {
      reasons.push(error);
    }
  }
  throw new AggregateError(reasons, "no usable metadata");
}

/** In the order of the MCP specification: RFC 8414, then OpenID Connect with the path inserted and appended. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === "" ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

function jwksUri(metadata: unknown, issuer: string): URL {
  if (typeof metadata !== "object" || metadata === null) throw new Error("metadata: expected an object");
  if (!("issuer" in metadata) || metadata.issuer !== issuer)
    throw new Error(
      `metadata of another issuer: expected ${issuer}, received ${"issuer" in metadata ? String(metadata.issuer).slice(0, 300) : "none"}`,
    );
  const url = "jwks_uri" in metadata && typeof metadata.jwks_uri === "string" ? URL.parse(metadata.jwks_uri) : null;
  if (url === null || !isHttpsOrLoopback(url)) throw new Error("metadata without an https jwks_uri");
  return url;
}

function keysAt(url: URL): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_AGE_MS,
    [customFetch]: withFailureCooldown(async (address, { signal }) => new Response(await fetchText(address, signal))),
  });
}

/** The body of a plain 200. A redirect is refused: its target was never trusted. */
export async function fetchText(
  url: string,
  signal: AbortSignal,
  init: { method?: "POST"; headers?: Record<string, string>; body?: string } = {},
): Promise<string> {
  const response = await fetch(url, { redirect: "manual", signal, ...init, headers: { accept: "application/json", ...init.headers } });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new Error(`${url} answered more than ${MAX_BODY_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The call, which after a failure is not tried again for a while; until then it fails as it did. */
function withFailureCooldown<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let failure: unknown;
  let until = 0;
  return async (...args) => {
    if (performance.now() < until) throw failure;
    try {
      return await call(...args);
    } catch (error) {
      failure = error;
      until = performance.now() + FAILURE_COOLDOWN_MS;
      throw error;
    }
  };
}

function keysUnavailable(issuer: string, cause: unknown): KeysUnavailableError {
  return new KeysUnavailableError(`the keys of ${issuer} cannot be read: ${reasonOf(cause)}`, { cause });
}

/** For the server's log, where the operator who set the issuer looks for the reason. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return [...new Set(error.errors.map(reasonOf))].join("; ");
  if (!(error instanceof Error)) return String(error);
  // The error of fetch has no details; its cause has them.
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
