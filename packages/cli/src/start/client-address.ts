// Client addresses: that of a connection, or behind trusted proxies the one that they name in X-Forwarded-For.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { quoted, StartError } from "./start-error.ts";

/** A connection to the socket has no address: it comes from this machine. */
const OF_SOCKETS = "127.0.0.1";

/** Throws a StartError for an entry that is neither an address nor a network. */
export function clientAddressBehind(proxies: readonly string[]): (request: IncomingMessage) => string | undefined {
  const trusted = new BlockList();
  for (const proxy of proxies) trust(trusted, proxy);
  return ({ socket, headers }) => {
    const named = String(headers["x-forwarded-for"] ?? "").split(",");
    let address = plainAddress(socket.remoteAddress ?? OF_SOCKETS);
    // From the right: each proxy adds the address that it was reached from, and a client may have sent what stands before.
    while (trusted.check(address, familyOf(address))) {
      const next = addressIn(named.pop());
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

function trust(list: BlockList, proxy: string): void {
  const [address = "", prefix, ...more] = proxy.split("/");
  const bits = prefix === undefined ? undefined : Number(prefix);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(prefix ?? "") && bits <= (isIPv6(address) ? 128 : 32));
  if (isIP(address) === 0 || !isPrefix || more.length > 0)
    throw new StartError(
      `Invalid value for --trusted-proxies: expected addresses or networks such as 10.0.0.7 or 10.0.0.0/8, got ${quoted(proxy)}.`,
      2,
    );
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, bits, familyOf(address));
}

/** An entry of the header, which may have a port; undefined where it has none. */
function addressIn(entry = ""): string | undefined {
  const text = entry.trim();
  const address = plainAddress(/^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1"));
  return isIP(address) === 0 ? undefined : address;
}

/** An IPv4 client of a socket for both families has an address such as `::ffff:192.0.2.1`. */
const plainAddress = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIPv4(plain) ? plain : address;
};

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

/** What counts as one client: an IPv6 client chooses among 2^64 addresses of its network, so that is the network. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.replace(/%.*/, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    const length = after.length + (after.at(-1)?.includes(".") === true ? 1 : 0); // an IPv4 address stands for two groups
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - length)).fill("0"), ...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
