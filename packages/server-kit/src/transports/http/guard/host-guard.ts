// Which hosts and origins are let in, before anything else is looked at: pages of other sites must not reach a server on
// this machine through its user's browser. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
import type { Fields } from "../request-headers.ts";
import type { FlatHeaders } from "../exchange.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface GuardOptions {
  /** Where the server listens, as an URL would write it; undefined when another program does the listening. */
  host?: string | undefined;
  /** Names let in besides the loopback ones, with or without a port. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins let in besides the server's own on loopback: `https://app.example`, or `null`. */
  allowedOrigins?: readonly string[] | undefined;
  /** Tokens are asked for: two of them are none, which is said by a challenge. */
  auth?: object | undefined;
}

export interface Refusal {
  status: number;
  message: string;
}

export class Guard {
  /** `name` for any port, `name:port` for one. */
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  readonly #challenges: boolean;

  /** Throws a TypeError on an entry that can never match. */
  constructor({ host, allowedHosts = [], allowedOrigins = [], auth }: GuardOptions) {
    this.#challenges = auth !== undefined;
    const own = host === undefined || isWildcard(host) ? [] : [host];
    this.#hosts = new Set([...LOOPBACK, ...own, ...allowedHosts].map((entry) => checkedHost(entry)));
    this.#origins = new Set(allowedOrigins.map(checkedOrigin));
  }

  /** `port` is the one that the request came to: pages that the server itself could have served are let in, on loopback. */
  judge({ host, origin, twice, count }: Fields, port: () => number | undefined): Refusal | undefined {
    if (twice !== undefined && !(this.#challenges && twice === "authorization"))
      return { status: 400, message: `The header ${twice} stands twice` };
    if (count > MOST_HEADERS) return { status: 431, message: "Too many headers" };
    if (host === undefined || host === "") return { status: 400, message: "No Host header" };
    const [, name, number] = HOST.exec(host) ?? [];
    if (name === undefined) return { status: 400, message: "The Host header is malformed" };
    const plain = name.toLowerCase();
    if (!this.#hosts.has(plain) && (number === undefined || !this.#hosts.has(`${plain}:${number}`))) {
      return { status: 403, message: "This Host is not allowed (--allowed-hosts)" };
    }
    if (origin === undefined || this.#origins.has(origin) || isOwn(origin, port())) return undefined;
    return { status: 403, message: "This Origin is not allowed (--allowed-origins)" };
  }
}

/** More than any client has reason to send. */
const MOST_HEADERS = 200;

const isOwn = (origin: string, port: number | undefined): boolean =>
  port !== undefined && LOOPBACK.some((name) => origin === `http://${name}${port === 80 ? "" : `:${port}`}`);

const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

function checkedHost(entry: string): string {
  if (!HOST.test(entry)) throw new TypeError(`"${entry}" is no host: write a name or address, with or without a port`);
  return entry.toLowerCase();
}

/** `chrome-extension://id` and its like. */
const OTHER_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9_.-]+(?::\d{1,5})?$/;

function checkedOrigin(entry: string): string {
  // Browsers leave the default port out.
  const isOrigin =
    entry === "null" ||
    (/^https?:/.test(entry) ? URL.canParse(entry) && new URL(entry).origin === entry && !entry.includes("*") : OTHER_ORIGIN.test(entry));
  if (!isOrigin) throw new TypeError(`"${entry}" is no origin: write it as a browser does, like https://app.example`);
  return entry;
}

/** Listening everywhere names no host. */
const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "[::]";

/** Whether a host, written as in a URL, is this machine: `localhost`, `[::1]` or an address of 127.0.0.0/8. */
export const isLoopback = (host: string): boolean => LOOPBACK.includes(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host);

/** What lets a page of an allowed origin read the answers. */
export const corsHeaders = (origin: string): FlatHeaders => [
  "Access-Control-Allow-Origin",
  origin,
  "Access-Control-Expose-Headers",
  "Mcp-Session-Id, WWW-Authenticate",
  "Vary",
  "Origin",
];

const HEADERS = "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name";

/** The answer to a preflight of an allowed origin, which wants to send these headers. */
export function preflight(wanted = ""): FlatHeaders {
  const params = wanted.split(",").flatMap((name) => /^\s*(mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+)\s*$/i.exec(name)?.[1] ?? []);
  return [
    "Access-Control-Allow-Methods",
    "GET, POST, DELETE",
    "Access-Control-Allow-Headers",
    [HEADERS, ...params].join(", "),
    "Access-Control-Max-Age",
    "7200",
  ];
}
