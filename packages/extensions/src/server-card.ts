// @oarlock/extensions/server-card: describes the server to clients that have not connected yet, at `<endpoint>/server-card` and in the
// catalog of the host. https://modelcontextprotocol.io/seps/2127-mcp-server-cards
import { REVISIONS, type Icon } from "@oarlock/server-kit/protocol";
import { HttpError, type PublicEndpoint, type PublicPages } from "@oarlock/server-kit/transport";

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

/** Every web page may read the card: it holds nothing that is not public. */
const CORS = [
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

/**
 * A server card, for the option `pages` of the HTTP transport. The card is public.
 * @example
 * await serveHttp(server, { pages: serverCard({ name: "com.example/weather", description: "The weather.", version: "1.0.0" }) });
 */
export function serverCard({ url, ...card }: ServerCard): PublicPages {
  return {
    has: (path, endpoint) => path === `${endpoint}/server-card` || path === CATALOG_PATH,
    async respond(exchange, { address, needsFixedToken }) {
      const { method, path, headers } = exchange;
      exchange.extraHeaders = CORS;
      if (method === "OPTIONS") return exchange.respond(204, ["Allow", "GET"]);
      if (method !== "GET") throw new HttpError(405, "Method not allowed: expected GET.", { headers: ["Allow", "GET"] });
      const endpoint = { address: url ?? address, needsFixedToken };
      const isCatalog = path === CATALOG_PATH;
      const body = JSON.stringify(isCatalog ? catalogOf(card, endpoint) : cardOf(card, endpoint));
      const etag = await etagOf(body);
      const caching = ["Cache-Control", "public, max-age=3600", "ETag", etag, "Vary", "Host"];
      if (matches(headers.ifNoneMatch, etag)) return exchange.respond(304, caching);
      exchange.respond(200, ["Content-Type", isCatalog ? CATALOG_TYPE : CARD_TYPE, ...caching], body);
    },
  };
}

function cardOf(card: ServerCard, { address, needsFixedToken }: PublicEndpoint): object {
  const remote = {
    type: "streamable-http",
    url: address,
    supportedProtocolVersions: REVISIONS,
    ...(needsFixedToken && { headers: [AUTHORIZATION] }),
  };
  return { $schema: SCHEMA, ...card, ...(address !== undefined && { remotes: [remote] }) };
}

function catalogOf(card: ServerCard, endpoint: PublicEndpoint): object {
  const { address } = endpoint;
  const [prefix = "", own = ""] = card.name.split("/");
  const entry = {
    identifier: `urn:air:${prefix.split(".").reverse().join(".")}:mcp:${own}`,
    type: CARD_TYPE,
    ...(address === undefined ? { data: cardOf(card, endpoint) } : { url: `${address.replace(/\/$/, "")}/server-card` }),
  };
  return { specVersion: "1.0", entries: [entry] };
}

async function etagOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return `"${Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

/** Compares weakly, as `If-None-Match` does. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
const matches = (given: string | undefined, etag: string): boolean =>
  given !== undefined && given.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));
