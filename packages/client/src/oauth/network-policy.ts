// The network policy of authorization: which addresses a document of the server may make the client contact.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/security_best_practices#server-side-request-forgery-ssrf
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { AuthorizationError } from "./oauth-error.ts";
import { isReachedAt } from "./server-identity.ts";

/** From the most to the least protected network. `forbidden` has no authorization server for any client. */
export type Network = "forbidden" | "loopback" | "private" | "public";

const RANK: Readonly<Record<Network, number>> = { forbidden: 0, loopback: 1, private: 2, public: 3 };

const FORBIDDEN = blockList(["169.254.0.0/16", "0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4"], ["fe80::/10", "::/128", "ff00::/8"]);
const LOOPBACK = blockList(["127.0.0.0/8"], ["::1/128"]);
const PRIVATE = blockList(
  ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15"],
  ["fc00::/7", "fec0::/10", "64:ff9b:1::/48", "2002::/16"], // the last two carry IPv4 addresses of any network
);

function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (subnets: readonly string[], family: "ipv4" | "ipv6"): void => {
    for (const [address = "", prefix] of subnets.map((subnet) => subnet.split("/"))) list.addSubnet(address, Number(prefix), family);
  };
  add(ipv4, "ipv4");
  add(ipv6, "ipv6");
  return list;
}

/** IPv4 addresses as a network without IPv4 sees them (NAT64). https://www.rfc-editor.org/rfc/rfc6052.html */
const NAT64 = blockList([], ["64:ff9b::/96"]);

function embeddedIpv4(address: string): string {
  // The URL has the shortest notation, in which at most two groups follow the prefix.
  const groups = new URL(`http://[${address}]`).hostname.replace(/^\[64:ff9b::|\]$/g, "").split(":");
  const [low = "", high = ""] = groups.reverse();
  return [high, low].flatMap((group) => [parseInt(group || "0", 16) >> 8, parseInt(group || "0", 16) & 255]).join(".");
}

/** The network of an IP address. An IPv4 address in IPv6 notation counts as the IPv4 address. */
export function networkOf(address: string): Network {
  if (NAT64.check(address, "ipv6")) return networkOf(embeddedIpv4(address));
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (FORBIDDEN.check(address, family)) return "forbidden";
  if (LOOPBACK.check(address, family)) return "loopback";
  return PRIVATE.check(address, family) ? "private" : "public";
}

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

const isLoopbackName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

export function isLoopbackHost(url: URL): boolean {
  const host = bareHost(url);
  return isLoopbackName(host) || (isIP(host) !== 0 && networkOf(host) === "loopback");
}

/** Whether requests to this URL cannot be read on the way. */
export const isHttpsOrLoopback = (url: URL): boolean => url.protocol === "https:" || isLoopbackHost(url);

/** What a server may make the client contact: addresses of its own network and of less protected ones. */
export class NetworkPolicy {
  readonly #lowest: Network;
  readonly #allowsHttp: boolean;

  private constructor(lowest: Network, allowsHttp: boolean) {
    this.#lowest = lowest;
    this.#allowsHttp = allowsHttp;
  }

  /** The policy for the documents of an MCP server. Throws for a server that would receive tokens in clear text over a network. */
  static async of(server: URL): Promise<NetworkPolicy> {
    const policy = isLoopbackHost(server) ? new NetworkPolicy("loopback", true) : new NetworkPolicy(await reachedNetwork(server), false);
    policy.checkUrl(server, "URL of the server");
    return policy;
  }

  /** The policy for addresses that the user has configured. */
  static configured(): NetworkPolicy {
    return new NetworkPolicy("loopback", true);
  }

  /** Throws unless the URL has an allowed scheme, and an allowed address if its host is one. */
  checkUrl(url: URL, subject: string): void {
    const isHttpAllowed = this.#allowsHttp && isLoopbackHost(url);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isHttpAllowed))
      throw new AuthorizationError(`Invalid ${subject}: expected an https URL`);
    if (url.username !== "" || url.password !== "") throw new AuthorizationError(`Invalid ${subject}: expected no user name or password`);
    const host = bareHost(url);
    if (isLoopbackName(host)) this.checkAddress("127.0.0.1", subject);
    else if (isIP(host) !== 0) this.checkAddress(host, subject);
  }

  /** Throws unless the client may connect to this IP address. */
  checkAddress(address: string, subject: string): void {
    const network = networkOf(address);
    if (network === "forbidden" || RANK[network] < RANK[this.#lowest])
      throw new AuthorizationError(`Refused ${subject}: its address is in a network that the server must not make the client contact`);
  }
}

/** The network that the server is in. */
async function reachedNetwork(server: URL): Promise<Network> {
  const host = bareHost(server);
  if (isIP(host) !== 0) return networkOf(host);
  const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  // A name with addresses in several networks has the rights of the least trusted one.
  const network = addresses.map(networkOf).reduce((least, next) => (RANK[next] > RANK[least] ? next : least), "loopback");
  if (network === "public" || (await isReachedAt(addresses, server))) return network;
  return "public"; // the owner of a name can let it lead to addresses that are not theirs
}
