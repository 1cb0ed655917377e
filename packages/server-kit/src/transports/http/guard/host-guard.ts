// HostGuard: checks Host and Origin before anything else, so that pages of other sites cannot reach a server on this machine
// through the user's browser (DNS rebinding).
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
import type { RequestHeaders } from "../request-headers.ts";
import { HttpError } from "../responses.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** More than any client has reason to send. */
const MAX_HEADERS = 200;

export interface HostGuardOptions {
  /** Where the server listens, as in a URL; undefined when another program listens. */
  host?: string | undefined;
  /** Host names to allow besides the loopback ones, with or without a port. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins to allow besides the server's own on loopback: `https://app.example`, or `null`. */
  allowedOrigins?: readonly string[] | undefined;
  /** Set when tokens are required: two Authorization headers then get a challenge (401) instead of 400. */
  auth?: object | undefined;
}

export class HostGuard {
  /** `name` for any port, `name:port` for one. */
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #needsToken: boolean;

  /** Throws a TypeError on an entry that no request can match. */
  constructor({ host, allowedHosts = [], allowedOrigins = [], auth }: HostGuardOptions) {
    const own = host === undefined || isWildcard(host) ? [] : [host];
    this.#hosts = new Set([...LOOPBACK, ...own, ...allowedHosts].map((entry) => normalizeHost(entry)));
    this.#origins = new Set(allowedOrigins.map((entry) => checkOrigin(entry)));
    this.#needsToken = auth !== undefined;
  }

  /**
   * Throws an HttpError on a request from a foreign host or origin. `port` is the one that the request came to: the server's own
   * pages on loopback are allowed.
   */
  check({ host, origin, duplicate, count }: RequestHeaders, port: () => number | undefined): void {
    if (duplicate !== undefined && !(this.#needsToken && duplicate === "authorization")) {
      throw new HttpError(400, `Duplicate ${titleCase(duplicate)} header.`);
    }
    if (count > MAX_HEADERS) throw new HttpError(431, `Too many headers: expected at most ${MAX_HEADERS}.`);
    if (host === undefined || host === "") throw new HttpError(400, "Missing Host header.");
    if (!HOST.test(host)) throw new HttpError(400, "Invalid Host header: expected a name or address, with or without a port.");
    if (!this.isKnown(host)) throw new HttpError(403, `Host not allowed: ${expected("hosts", "allowedHosts")}`);
    if (origin === undefined || this.#origins.has(origin) || isOwnOrigin(origin, port())) return;
    throw new HttpError(403, `Origin not allowed: ${expected("origins", "allowedOrigins")}`);
  }

  /** Whether a Host header names this server. */
  isKnown(host: string | undefined): boolean {
    const [, name, number] = HOST.exec(host ?? "") ?? [];
    const plain = name?.toLowerCase();
    return plain !== undefined && (this.#hosts.has(plain) || (number !== undefined && this.#hosts.has(`${plain}:${number}`)));
  }

  /** The address of a path, with https except on loopback; undefined where the Host header names another server. */
  addressOf(host: string | undefined, path: string): string | undefined {
    if (host === undefined || !this.isKnown(host)) return undefined;
    return `${isLoopback(host.replace(/:\d+$/, "")) ? "http" : "https"}://${host}${path}`;
  }
}

const expected = (what: string, option: string): string =>
  `expected one of the ${what} that this server allows. Its operator sets ${option}.`;

/** The path of the endpoint. Throws a TypeError on one that no request can have. */
export function checkedPath(path: string): string {
  if (/^\/[^?#\s]*$/.test(path)) return path;
  throw new TypeError(`Invalid path "${path}": expected one that begins with a slash and has no query, such as /mcp.`);
}

/** Throws a TypeError on an allowed host or origin that no request can match, as serving with it does. */
export function checkAllowed({ allowedHosts = [], allowedOrigins = [] }: Pick<HostGuardOptions, "allowedHosts" | "allowedOrigins">): void {
  for (const host of allowedHosts) normalizeHost(host);
  for (const origin of allowedOrigins) checkOrigin(origin);
}

/** Whether a host, as in a URL, is an address of this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  return port !== undefined && LOOPBACK.some((name) => origin === `http://${name}${port === 80 ? "" : `:${port}`}`);
}

/** Listening on every address names no host. */
const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "[::]";

const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

function normalizeHost(entry: string): string {
  if (!HOST.test(entry)) throw new TypeError(`Invalid host "${entry}": expected a name or address, with or without a port.`);
  return entry.toLowerCase();
}

/** `chrome-extension://id` and the like. */
const OTHER_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9_.-]+(?::\d{1,5})?$/;

function checkOrigin(entry: string): string {
  // Browsers leave out the default port.
  const isOrigin =
    entry === "null" ||
    (/^https?:/.test(entry) ? URL.canParse(entry) && new URL(entry).origin === entry && !entry.includes("*") : OTHER_ORIGIN.test(entry));
  if (!isOrigin) throw new TypeError(`Invalid origin "${entry}": expected the form that browsers send, such as https://app.example.`);
  return entry;
}

const titleCase = (name: string): string => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
