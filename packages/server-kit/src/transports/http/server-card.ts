// ServerCards: describes the server to clients that have not connected yet, at `<endpoint>/server-card` and in the catalog of the host.
// https://modelcontextprotocol.io/seps/2127-mcp-server-cards
import type { Icon } from "../../protocol/types.ts";
import { REVISIONS } from "../../revisions/index.ts";
import type { HeaderList, HttpExchange } from "./http-exchange.ts";
import { isLoopback } from "./guard/host-guard.ts";
import { HttpError } from "./responses.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const CATALOG_PATH = "/.well-known/ai-catalog.json";

/** What a server card says, besides the address. The members are those of the registry's `server.json`. */
export interface ServerCard {
  /** The name in the registry: `com.example/weather`. */
  name: string;
  /** At most 100 characters. */
  description: string;
  version: string;
  title?: string;
  websiteUrl?: string;
  icons?: readonly Icon[];
  repository?: { url: string; source: string; subfolder?: string; id?: string };
  /** Public address of the MCP endpoint. Default: that of the request, with https except on loopback. */
  url?: string;
}

export interface ServerCardsOptions {
  card: ServerCard;
  path: string;
  /** Whether clients need a token that no authorization server issues. */
  needsFixedToken: boolean;
}

/** Every web page may read the card: it holds nothing that is not public. */
const CORS: HeaderList = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Allow-Methods",
  "GET",
  "Access-Control-Allow-Headers",
  "Content-Type, If-None-Match",
  "Access-Control-Expose-Headers",
  "ETag",
];

const AUTHORIZATION = { name: "Authorization", description: "Bearer token", isRequired: true, isSecret: true };

export class ServerCards {
  readonly #options: ServerCardsOptions;

  constructor(options: ServerCardsOptions) {
    this.#options = options;
  }

  isPath(path: string): boolean {
    return path === this.#cardPath || path === CATALOG_PATH;
  }

  get #cardPath(): string {
    return `${this.#options.path}/server-card`;
  }

  /** Responds with the card or the catalog. `isHostKnown`: whether the Host header names this server, so that an address may repeat it. */
  async respond(exchange: HttpExchange, isHostKnown: boolean): Promise<void> {
    const { method, path, headers } = exchange;
    exchange.extraHeaders = CORS;
    if (method === "OPTIONS") return exchange.respond(204, ["Allow", "GET"]);
    if (method !== "GET") throw new HttpError(405, "Method not allowed: expected GET.", { headers: ["Allow", "GET"] });
    const endpoint = this.#endpoint(isHostKnown ? headers.host : undefined);
    const isCatalog = path === CATALOG_PATH;
    const body = JSON.stringify(isCatalog ? this.#catalog(endpoint) : this.#card(endpoint));
    const etag = await etagOf(body);
    const caching = ["Cache-Control", "public, max-age=3600", "ETag", etag, "Vary", "Host"];
    if (matches(headers.ifNoneMatch, etag)) return exchange.respond(304, caching);
    exchange.respond(200, ["Content-Type", isCatalog ? CATALOG_TYPE : CARD_TYPE, ...caching], body);
  }

  /** Public address of the MCP endpoint, where it is known. */
  #endpoint(host: string | undefined): string | undefined {
    const { card, path } = this.#options;
    if (card.url !== undefined) return card.url;
    if (host === undefined) return undefined;
    const scheme = isLoopback(host.replace(/:\d+$/, "")) ? "http" : "https";
    return `${scheme}://${host}${path}`;
  }

  #card(endpoint: string | undefined): object {
    const { needsFixedToken } = this.#options;
    const { url: _url, ...card } = this.#options.card;
    const remote = {
      type: "streamable-http",
      url: endpoint,
      supportedProtocolVersions: REVISIONS,
      ...(needsFixedToken && { headers: [AUTHORIZATION] }),
    };
    return { $schema: SCHEMA, ...card, ...(endpoint !== undefined && { remotes: [remote] }) };
  }

  #catalog(endpoint: string | undefined): object {
    const { name } = this.#options.card;
    const [prefix = "", own = ""] = name.split("/");
    const entry = {
      identifier: `urn:air:${prefix.split(".").reverse().join(".")}:mcp:${own}`,
      type: CARD_TYPE,
      ...(endpoint === undefined ? { data: this.#card(undefined) } : { url: `${endpoint.replace(/\/$/, "")}/server-card` }),
    };
    return { specVersion: "1.0", entries: [entry] };
  }
}

async function etagOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return `"${Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** Compares weakly, as `If-None-Match` does. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
const matches = (given: string | undefined, etag: string): boolean =>
  given !== undefined && given.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));
