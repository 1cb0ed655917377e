/** Whose request it is behind proxies, and which addresses count as one client. */
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddressBehind, networkOf } from "../src/start/client-address.ts";

const PROXIES = ["10.0.0.7", "192.168.0.0/16", "2001:db8:aaaa::/48"];

function addressOf(remoteAddress: string | undefined, forwarded?: string, proxies = PROXIES): string | undefined {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return clientAddressBehind(proxies)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage); // what it reads
}

test.each([
  ["a client without a proxy", "203.0.113.5", undefined, "203.0.113.5"],
  ["a client that claims to be another one", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
  ["a client behind one proxy", "10.0.0.7", "198.51.100.1", "198.51.100.1"],
  ["a client behind a chain of proxies", "10.0.0.7", "198.51.100.1, 192.168.4.4, 2001:db8:aaaa::1", "198.51.100.1"],
  ["what a client wrote before the address of its proxy", "10.0.0.7", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
  ["a proxy that names nobody", "10.0.0.7", undefined, "10.0.0.7"],
  ["a proxy that names no address", "10.0.0.7", "198.51.100.1, unknown", "10.0.0.7"],
  ["an IPv4 proxy on a socket for both families", "::ffff:10.0.0.7", "198.51.100.1", "198.51.100.1"],
  ["addresses with ports", "10.0.0.7", "[2001:db8::5]:4711", "2001:db8::5"],
  ["an IPv4 address with a port", "10.0.0.7", "198.51.100.1:80", "198.51.100.1"],
])("finds %s", (_, remote, forwarded, address) => {
  expect(addressOf(remote, forwarded)).toBe(address);
});

test("takes connections to a Unix socket for those of this machine", () => {
  expect(addressOf(undefined, "198.51.100.1", ["127.0.0.1"])).toBe("198.51.100.1");
  expect(addressOf(undefined, "198.51.100.1")).toBe("127.0.0.1");
});

test.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/", "2001:db8::/129", "10.0.0.0/8/8", "*"])("refuses the proxy %s", (proxy) => {
  expect(() => clientAddressBehind([proxy])).toThrow(/^Invalid value for --trusted-proxies: expected addresses or networks/);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:0DB8:0:1:2:3:4:5", "2001:db8:0:1::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
