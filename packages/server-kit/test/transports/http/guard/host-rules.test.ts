// What the host guard says to each kind of Host, Origin and duplicate header, and which entries of an operator it takes.
import { expect, test } from "vitest";
import { HostGuard, type HostGuardOptions } from "../../../../src/transports/http/guard/host-guard.ts";
import { parseHeaders } from "../../../../src/transports/http/request-headers.ts";

const check = (raw: readonly string[], options: HostGuardOptions = {}, port: number | undefined = 3000): void =>
  new HostGuard(options).check(parseHeaders(raw), () => port);

const LOCAL = ["Host", "localhost"];
const INVALID_HOST = "Invalid Host header: expected a name or address, with or without a port.";
const FOREIGN_HOST = "Host not allowed: expected one of the hosts that this server allows. Its operator sets allowedHosts.";
const FOREIGN = "Origin not allowed: expected one of the origins that this server allows. Its operator sets allowedOrigins.";

test.each<[raw: string[], status: number, message: string, options?: HostGuardOptions]>([
  [[], 400, "Missing Host header."],
  [["Host", ""], 400, "Missing Host header."],
  [["Host", "a b"], 400, INVALID_HOST],
  [["Host", "localhost:123456"], 400, INVALID_HOST],
  [["Host", "evil.example"], 403, FOREIGN_HOST],
  [["Host", "app.example:81"], 403, FOREIGN_HOST, { allowedHosts: ["app.example:80"] }],
  [["Host", "undefined"], 403, FOREIGN_HOST, { allowedHosts: ["app.example"] }],
  [[...LOCAL, ...LOCAL], 400, "Duplicate Host header."],
  [[...LOCAL, "content-type", "a", "content-type", "b"], 400, "Duplicate Content-Type header."],
  [[...LOCAL, "content-type", "a", "content-type", "b"], 400, "Duplicate Content-Type header.", { auth: {} }],
  [[...LOCAL, "authorization", "a", "authorization", "b"], 400, "Duplicate Authorization header."],
  [[...LOCAL, ...Array.from({ length: 200 }, (_, at) => [`x-${at}`, ""]).flat()], 431, "Too many headers: expected at most 200."],
  [[...LOCAL, "Origin", "http://evil.example"], 403, FOREIGN],
  [[...LOCAL, "Origin", "http://localhost:3001"], 403, FOREIGN],
  [[...LOCAL, "Origin", "https://localhost:3000"], 403, FOREIGN],
])("refuses %j: %i", (raw, status, message, options) => {
  expect(() => check(raw, options)).toThrow(expect.objectContaining({ status, message }) as Error);
});

test("treats no origin as its own when the port is unknown", () => {
  expect(() => new HostGuard({}).check(parseHeaders([...LOCAL, "Origin", "http://localhost:undefined"]), () => undefined)).toThrow(FOREIGN);
});

test.each<[raw: string[], options?: HostGuardOptions, port?: number]>([
  [LOCAL],
  [["host", "LOCALHOST:1"]],
  [["Host", "127.0.0.1:3000", "Origin", "http://localhost:3000"]],
  [["Host", "[::1]", "Origin", "http://[::1]"], {}, 80],
  [["Host", "app.example:8080"], { allowedHosts: ["App.Example"] }],
  [["Host", "app.example:8080"], { allowedHosts: ["app.example:8080"] }],
  [["Host", "10.0.0.9"], { host: "10.0.0.9" }],
  [[...LOCAL, "authorization", "a", "authorization", "b"], { auth: {} }],
  [[...LOCAL, ...Array.from({ length: 199 }, (_, at) => [`x-${at}`, ""]).flat()]],
  ...["null", "https://app.example", "http://app.example:81", "chrome-extension://abcdefgh", "app+x.y-1://some_host.x:65535"].map(
    (origin): [string[], HostGuardOptions] => [[...LOCAL, "Origin", origin], { allowedOrigins: [origin] }],
  ),
])("accepts %j with %j", (raw, options, port) => {
  expect(() => check(raw, options, port)).not.toThrow();
});

test.each(["0.0.0.0", "[::]"])("does not know a server on %s by this address", (host) => {
  expect(new HostGuard({ host }).isKnown(host)).toBe(false);
});

test.each([undefined, "", "a b"])("does not know the host %j", (host) => {
  expect(new HostGuard({}).isKnown(host)).toBe(false);
});

test.each(["", "a b", "https://app.example", "*", "app.example:port"])("refuses to allow %j as a host", (entry) => {
  expect(() => new HostGuard({ allowedHosts: [entry] })).toThrow(
    new TypeError(`Invalid host "${entry}": expected a name or address, with or without a port.`),
  );
});

test.each([
  ...[
    "",
    "app.example",
    "https://app.example/",
    "https://app.example:443",
    "https://App.example",
    "http://app.example:80",
    "https://*.example",
  ],
  ...["https:", "http://a b", "1x://id", "x://id/", "x://", "X://id", "x://a b", "x://id:", "x://id:123456", "x://id:1a", "my-https://a/b"],
])("refuses to allow %j as an origin", (entry) => {
  expect(() => new HostGuard({ allowedOrigins: [entry] })).toThrow(
    new TypeError(`Invalid origin "${entry}": expected the form that browsers send, such as https://app.example.`),
  );
});
