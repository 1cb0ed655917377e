// Hosts and origins, matched exactly (security cases HTTP-01 … HTTP-08; rules H1 and G1).
import { describe, expect, test } from "vitest";
import { parseHeaders } from "../../../../src/transports/http/request-headers.ts";
import { HostGuard, isLoopback, type HostGuardOptions } from "../../../../src/transports/http/guard/host-guard.ts";
import type { HttpError } from "../../../../src/transports/http/responses.ts";
import { fc } from "../../../support/arbitrary.ts";

const PORT = 3920;

/** The status that the guard refuses a request with; "passes" when it allows the request. */
function checked(guard: HostGuard, raw: readonly string[], port: () => number | undefined = () => PORT): number | "passes" {
  try {
    guard.check(parseHeaders(raw), port);
    return "passes";
  } catch (error) {
    return (error as HttpError).status; // what the guard throws
  }
}

function judged(headers: Record<string, string>, options: HostGuardOptions = {}, port = PORT): number | "passes" {
  return checked(new HostGuard(options), Object.entries({ host: `localhost:${PORT}`, ...headers }).flat(), () => port);
}

describe("case HTTP-07 allows its own and configured hosts", () => {
  test.each<[string, HostGuardOptions?]>([
    ["localhost"],
    ["localhost:3920"],
    ["LocalHost:3920"],
    ["127.0.0.1"],
    ["127.0.0.1:3920"],
    ["[::1]"],
    ["[::1]:3920"],
    ["mcp.example", { allowedHosts: ["mcp.example"] }],
    ["mcp.example:8443", { allowedHosts: ["mcp.example"] }],
    ["MCP.Example", { allowedHosts: ["mcp.EXAMPLE"] }],
    ["mcp.example:8443", { allowedHosts: ["mcp.example:8443"] }],
    ["[2001:db8::1]:80", { allowedHosts: ["[2001:db8::1]"] }],
    ["192.0.2.7:3920", { host: "192.0.2.7" }],
    ["[fd00::7]", { host: "[fd00::7]" }],
  ])("%j", (host, options) => expect(judged({ host }, options)).toBe("passes"));
});

describe("case HTTP-05 refuses foreign hosts", () => {
  test.each<[string, HostGuardOptions?]>([
    ["evil.example"],
    ["evil.example:3920"],
    ["localhost.evil.example"],
    ["evil-localhost"],
    ["evil.localhost"],
    ["localhost."],
    ["127.0.0.1.evil.example"],
    ["127.0.0.2"],
    ["127.1"],
    ["2130706433"],
    ["0.0.0.0"],
    ["0"],
    ["[::]"],
    ["[::ffff:127.0.0.1]"],
    ["[0:0:0:0:0:0:0:1]"],
    ["__proto__"],
    ["constructor"],
    ["x.mcp.example", { allowedHosts: ["mcp.example"] }],
    ["mcp.example.evil", { allowedHosts: ["mcp.example"] }],
    ["mcpxexample", { allowedHosts: ["mcp.example"] }],
    ["mcp.example", { allowedHosts: ["mcp.example:8443"] }],
    ["mcp.example:84430", { allowedHosts: ["mcp.example:8443"] }],
    ["mcp.example:443", { allowedHosts: ["mcp.example:8443"] }],
    // Listening everywhere lets in no name by itself.
    ["0.0.0.0:3920", { host: "0.0.0.0" }],
    ["[::]:3920", { host: "[::]" }],
    ["evil.example", { host: "0.0.0.0" }],
  ])("%j", (host, options) => expect(judged({ host }, options)).toBe(403));
});

describe("case HTTP-06 refuses invalid hosts", () => {
  test.each([
    "",
    " ",
    "localhost/x",
    "localhost?x",
    "localhost#x",
    "localhost\\x",
    "a@localhost",
    "user:pass@localhost",
    "localhost@evil.example",
    "local host",
    " localhost",
    "localhost ",
    "localhost\t",
    "localhost\n",
    "localhost:",
    "localhost:x",
    "localhost:-1",
    "localhost: 80",
    "localhost:3920:3920",
    "localhost:123456",
    "localhost,evil.example",
    "localhost, localhost",
    "::1",
    "[::1",
    "::1]",
    "[localhost]",
    "[::1]x",
    "[::1%25lo]",
    "http://localhost",
    "//localhost",
    "%6cocalhost",
    "lоcalhost",
    "localhost\u0000",
    "${jndi:x}",
    "*",
  ])("%j", (host) => expect(judged({ host })).toBe(400));

  test("a missing host", () => expect(checked(new HostGuard({}), [])).toBe(400));

  test("accepts only loopback names and configured names", () => {
    const piece = fc.constantFrom(
      "localhost",
      "127.0.0.1",
      "[::1]",
      "mcp.example",
      "evil",
      ".",
      ":",
      "80",
      "8443",
      "@",
      "/",
      " ",
      ",",
      "\u00a0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const host = pieces.join("");
        const good = /^(localhost|127\.0\.0\.1|\[::1\]|mcp\.example)(:\d{1,5})?$/.test(host);
        expect(judged({ host }, { allowedHosts: ["mcp.example"] }) === "passes").toBe(good);
      }),
    );
  });
});

describe("case HTTP-03 origins", () => {
  const options: HostGuardOptions = { allowedOrigins: ["https://app.example", "http://tools.example:8080"] };

  test.each(["http://localhost:3920", "http://127.0.0.1:3920", "http://[::1]:3920", "https://app.example", "http://tools.example:8080"])(
    "accepts %j",
    (origin) => expect(judged({ origin }, options)).toBe("passes"),
  );

  test.each([
    "",
    " ",
    "null",
    "NULL",
    "*",
    "localhost:3920",
    "localhost",
    "http://localhost",
    "http://localhost:",
    "http://localhost:80",
    "http://localhost:39200",
    "http://localhost:3921",
    "http://localhost:03920",
    "https://localhost:3920",
    "ws://localhost:3920",
    "file://localhost:3920",
    "HTTP://localhost:3920",
    "http://LOCALHOST:3920",
    "http://localhost.:3920",
    "http://localhost:3920/",
    "http://localhost:3920/mcp",
    "http://localhost:3920#",
    "http://localhost:3920?",
    "http://user@localhost:3920",
    "http://localhost@evil.example:3920",
    "http://localhost:3920@evil.example",
    "http://localhost.evil.example",
    "http://localhost.evil.example:3920",
    "http://evil-localhost:3920",
    "http://127.0.0.1.evil.example:3920",
    "http://127.0.0.2:3920",
    "http://127.1:3920",
    "http://0.0.0.0:3920",
    "http://[::ffff:127.0.0.1]:3920",
    "http://localhost:3920 http://evil.example",
    "http://localhost:3920, http://evil.example",
    "http://localhost:3920,http://localhost:3920",
    " http://localhost:3920",
    "http://localhost:3920\t",
    "https://app.example.",
    "https://app.example:443",
    "https://app.example/",
    "http://app.example",
    "https://x.app.example",
    "https://app.example.evil",
    "https://appxexample",
    "https://APP.example",
    "http://tools.example",
    "http://evil.example",
  ])("refuses %j", (origin) => expect(judged({ origin }, options)).toBe(403));

  test("case HTTP-02 accepts null only if it is configured", () => {
    expect(judged({ origin: "null" })).toBe(403);
    expect(judged({ origin: "null" }, { allowedOrigins: ["null"] })).toBe("passes");
  });

  test("reads an origin without port on port 80 as its own, and none when the port is unknown", () => {
    expect(judged({ origin: "http://localhost" }, {}, 80)).toBe("passes");
    expect(judged({ origin: "http://localhost:80" }, {}, 80)).toBe(403);
    expect(checked(new HostGuard({}), ["host", "localhost", "origin", "http://localhost:3920"], () => undefined)).toBe(403);
  });

  test("case HTTP-04 checks the host without an origin, and an allowed origin does not allow a foreign host", () => {
    expect(judged({})).toBe("passes");
    expect(judged({ host: "evil.example" })).toBe(403);
    expect(judged({ host: "evil.example", origin: "http://localhost:3920" })).toBe(403);
    expect(judged({ host: "app.example", origin: "https://app.example" }, { allowedOrigins: ["https://app.example"] })).toBe(403);
    // Who serves pages of another name on this machine is still another one.
    expect(judged({ host: "mcp.example", origin: "http://mcp.example:3920" }, { allowedHosts: ["mcp.example"] })).toBe(403);
  });
});

describe("G8 refuses an entry that can never match, or matches more than it states", () => {
  test.each(["", "*", "*.example", "https://mcp.example", "mcp.example/", "a b", "a,b", "::1", "mcp.example:", "mcp.example:http"])(
    "host %j",
    (entry) => expect(() => new HostGuard({ allowedHosts: [entry] })).toThrow(TypeError),
  );

  test.each([
    "",
    "*",
    "app.example",
    "https://app.example/",
    "https://app.example/x",
    "https://*.example",
    "https://APP.example",
    "https://app.example:443",
    "https://u@app.example",
    "file:///x",
  ])("origin %j", (entry) => expect(() => new HostGuard({ allowedOrigins: [entry] })).toThrow(TypeError));
});

describe("case HTTP-08 loopback", () => {
  test.each(["127.0.0.1", "127.0.0.2", "127.255.255.254", "localhost", "LOCALHOST", "[::1]"])("includes %j", (host) =>
    expect(isLoopback(host)).toBe(true),
  );

  test.each([
    "",
    "0.0.0.0",
    "[::]",
    "::1",
    "128.0.0.1",
    "10.127.0.0.1",
    "127.0.0.1.evil.example",
    "127.0.0.1\n",
    "x127.0.0.1",
    "127",
    "localhost.evil.example",
    "localhost.",
  ])("excludes %j", (host) => expect(isLoopback(host)).toBe(false));
});

test("case HTTP-24 refuses an excess of headers", () => {
  const headers = (count: number): string[] => ["host", "localhost", ...Array.from({ length: count - 1 }, () => ["x", "y"]).flat()];
  expect(checked(new HostGuard({}), headers(200))).toBe("passes");
  expect(checked(new HostGuard({}), headers(201))).toBe(431);
  expect(checked(new HostGuard({}), ["host", "localhost", "host", "localhost"])).toBe(400);
});
