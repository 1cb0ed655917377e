// Where the server listens, and whom it lets in from there (security case HTTP-08; rules H1 and G8).
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { bearerToken, serveHttp, type HttpServer, type ServeHttpOptions } from "../../../../src/node.ts";
import { gaugeServer, startGauge } from "../../../support/gauge.ts";
import { openSession, overFaces, overSocket, post, servesOn } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";

/** Addresses of this machine that other machines can reach, and the other loopback one. */
const OTHERS = [
  "::1",
  ...Object.values(networkInterfaces()).flatMap((list = []) =>
    list.flatMap(({ internal, family, address }) => (internal || family !== "IPv4" ? [] : [address])),
  ),
];

const reaches = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port }, () => (socket.destroy(), resolve(true))).on("error", () => resolve(false));
  });

async function served(options: ServeHttpOptions): Promise<HttpServer & AsyncDisposable> {
  const http = await serveHttp(gaugeServer(), { port: 0, graceMs: 0, ...options });
  return Object.assign(http, { [Symbol.asyncDispose]: () => http.stop() });
}

describe("case HTTP-08 HTTP-06 SEC-06", () => {
  test("listens on loopback only by default", async () => {
    await using http = await served({});
    expect(http.url).toBe(`http://127.0.0.1:${http.port}/mcp`);
    expect(await reaches("127.0.0.1", http.port)).toBe(true);
    for (const host of OTHERS) expect(await reaches(host, http.port), host).toBe(false);
  });

  test.each(["0.0.0.0", "::", "", "192.0.2.1", "mcp.example", "localhost.evil.example", "127.0.0.1.evil.example"])(
    "refuses the host %j without authentication, and does not listen",
    async (host) => {
      await expect(serveHttp(gaugeServer(), { host, port: 0 })).rejects.toThrow(TypeError);
      await expect(serveHttp(gaugeServer(), { host, port: 0, dangerouslyAllowUnauthenticated: false })).rejects.toThrow(/authentication/);
    },
  );

  test.each<[string, ServeHttpOptions]>([
    ["127.0.0.1", {}],
    ["localhost", {}],
    ["0.0.0.0", { dangerouslyAllowUnauthenticated: true }],
    ["0.0.0.0", { auth: bearerToken("secret") }],
  ])("listens on the host %j with %o, and still refuses foreign names", async (host, options) => {
    await using http = await served({ host, ...options });
    const headers = { ...post("").headers, authorization: "Bearer secret" } as Record<string, string>;
    const asked = async (more: Record<string, string>): Promise<number> => {
      return (await overSocket(http.port, { ...post(initialize()), headers: { ...headers, ...more } })).status;
    };
    expect(await asked({})).toBe(200);
    expect(await asked({ host: "evil.example" })).toBe(403);
    expect(await asked({ host: `0.0.0.0:${http.port}` })).toBe(403);
    expect(await asked({ origin: "http://evil.example" })).toBe(403);
  });

  test("rejects on a port in use, and starts the next time", async () => {
    await using first = await served({});
    await expect(serveHttp(gaugeServer(), { port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await using _second = await served({});
  });
});

overFaces("HTTP-07 SEC-06 a token", (face) => {
  test("requires a token on each method, before it reads anything of the request", async () => {
    await using gauge = await startGauge(face, { auth: bearerToken("secret") });
    const good = { authorization: "Bearer secret" };
    const session = await openSession(gauge, undefined, good);
    for (const authorization of [undefined, "Bearer wrong", "Bearer secret2", "Bearer secre", "Basic secret", "secret", "Bearer", ""]) {
      for (const method of ["POST", "GET", "DELETE"]) {
        const response = await gauge.send({
          method,
          headers: { ...session, "content-type": "text/plain", authorization },
          ...(method === "POST" && { body: "{" }),
        });
        expect
          .soft([response.status, response.headers.get("www-authenticate")], `${method} ${authorization}`)
          .toEqual([401, expect.stringMatching(/^Bearer /)]);
      }
    }
    expect((await gauge.send({ ...post(initialize(), {}), path: "/mcp?access_token=secret" })).status).toBe(401);
    expect(gauge.counts().sessions).toBe(1);
    await servesOn(gauge, good);
  });
});
