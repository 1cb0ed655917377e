// The network policy of authorization: which addresses a document of the server may make the client contact.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/security_best_practices#server-side-request-forgery-ssrf
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { AuthorizationError } from "./oauth-error.ts";

/** From the most to the least protected network. `forbidden` has no authorization server for anybody. */
export type Network = "forbidden" | "loopback" | "private" | "public";

const RANK: Readonly<Record<Network, number>> = { forbidden: 0, loopback: 1, private: 2, public: 3 };

const FORBIDDEN = blockList(["169.254.0.0/16", "0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4"], ["fe80::/10", "::/128", "ff00::/8"]);
const LOOPBACK = blockList(["127.0.0.0/8"], ["::1/128"]);
const PRIVATE = blockList(
  ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15"],
  ["fc00::/7", "fec0::/10", "64:ff9b::/96", "2002::/16"], // the last two carry IPv4 addresses of any network
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

/** The network of an IP address. An IPv4 address in IPv6 notation counts as the IPv4 address. */
export function networkOf(address: string): Network {
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

/** What a server may make the client contact: addresses of its own network and of less protected ones. */
export class NetworkPolicy {
  readonly #lowest: Network;
  readonly #allowsHttp: boolean;

  private constructor(lowest: Network, allowsHttp: boolean) {
    this.#lowest = lowest;
    this.#allowsHttp = allowsHttp;
  }

  /** The policy for the documents of an MCP server. */
  static async of(server: URL): Promise<NetworkPolicy> {
    if (isLoopbackHost(server)) return new NetworkPolicy("loopback", true);
    const host = bareHost(server);
    const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
    const networks = addresses.map(networkOf);
    // A name with addresses in several networks has the rights of the least trusted one.
    const lowest = networks.reduce((least, network) => (RANK[network] > RANK[least] ? network : least), "loopback" as Network);
    return new NetworkPolicy(lowest, false);
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
