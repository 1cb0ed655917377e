// Foreign pages and foreign names are turned away on every entrance, before anything else (security cases HTTP-01 … HTTP-07).
import { afterEach, expect, test, vi } from "vitest";
import { toFetch } from "../../../../src/fetch.ts";
import type { Authenticator, ServeHttpOptions } from "../../../../src/node.ts";
import { gaugeServer, startGauge, type Gauge } from "../../../support/gauge.ts";
import { json, openSession, overFaces, post, problem, servesOn, type HttpRequest } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { call } from "../../../support/sample.ts";

const EVIL = "https://evil.example";
const PATHS = ["/mcp", "/sse", "/messages", "/messages?sessionId=x", "/.well-known/oauth-protected-resource", "/elsewhere"];
const METHODS = ["POST", "GET", "DELETE", "OPTIONS", "PUT", "PATCH", "HEAD"];

overFaces("case HTTP-01 SEC-07 a foreign origin or host", (face) => {
  let gauge: Gauge | undefined;
  afterEach(() => gauge?.[Symbol.asyncDispose]());

  const check = vi.fn<Authenticator["check"]>(() => ({ denied: "nobody comes in" }));
  const guarded: ServeHttpOptions = {
    legacySse: true,
    auth: { check, metadata: { resource: "https://mcp.example/mcp", authorization_servers: ["https://login.example"] } },
  };

  test.each(METHODS)("HTTP-03 HTTP-04 HTTP-05 refuses on %s of every path, before it reads the token", async (method) => {
    gauge = await startGauge(face, guarded);
    for (const path of PATHS) {
      for (const bad of [{ origin: EVIL }, { host: "evil.example" }, { host: "evil.example", origin: "http://evil.example" }]) {
        const body = ["POST", "PUT", "PATCH"].includes(method) ? { body: JSON.stringify(initialize()) } : {};
        const response = await gauge.send({ method, path, headers: { ...post("").headers, authorization: "Bearer x", ...bad }, ...body });
        const what = `${path} ${JSON.stringify(bad)}`;
        expect.soft(response.status, what).toBe(403);
        expect.soft(response.text === "" ? problem() : json(response), what).toEqual(problem());
        expect.soft(response.text === "", what).toBe(method === "HEAD");
        expect
          .soft(
            [...response.headers.keys()].filter((name) => name.startsWith("access-control") || name === "mcp-session-id"),
            what,
          )
          .toEqual([]);
      }
    }
    expect(check).not.toHaveBeenCalled();
    expect(gauge.counts()).toMatchObject({ sessions: 0, streams: 0, running: 0 });
  });

  test("HTTP-03 refuses within a session too, and leaves the session unchanged", async () => {
    gauge = await startGauge(face);
    const session = await openSession(gauge);
    for (const method of ["POST", "GET", "DELETE"]) {
      const request =
        method === "POST"
          ? post(call(1, "mark"), { ...session, origin: EVIL })
          : { method, headers: { ...session, accept: "text/event-stream", origin: EVIL } };
      expect((await gauge.send(request)).status, method).toBe(403);
    }
    expect([gauge.marks, gauge.counts().sessions, gauge.counts().streams]).toEqual([0, 1, 0]);
    expect((await gauge.send(post(call(1, "mark"), session))).status).toBe(200);
    expect(gauge.marks).toBe(1);
  });

  test.each(["null", "", "http://localhost", "http://localhost.evil.example:3920", "http://localhost@evil.example", "http://localhost:1"])(
    "case HTTP-02 case HTTP-03 treats the origin %j as foreign",
    async (origin) => {
      gauge = await startGauge(face);
      expect((await gauge.send(post(initialize(), { origin }))).status).toBe(403);
      await servesOn(gauge);
    },
  );

  test("case HTTP-03 treats look-alikes of its port as foreign, and accepts its own origins and configured ones", async () => {
    gauge = await startGauge(face, { allowedOrigins: ["https://app.example", "null"] });
    const { port } = gauge;
    const bad = [
      `https://localhost:${port}`,
      `HTTP://localhost:${port}`,
      `http://LOCALHOST:${port}`,
      `http://localhost.:${port}`,
      `http://localhost:${port}/`,
      `http://evil-localhost:${port}`,
    ];
    for (const origin of [...bad, "https://app.example:444", "http://app.example", "https://app.example, https://app.example"]) {
      expect.soft((await gauge.send(post(initialize(), { origin }))).status, origin).toBe(403);
    }
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`, "https://app.example", "null"]) {
      const response = await gauge.send(post(initialize(), { origin }));
      expect.soft([response.status, response.headers.get("access-control-allow-origin")], origin).toEqual([200, origin]);
      expect.soft(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect.soft(response.headers.get("vary")).toBe("Origin");
    }
  });

  test("case HTTP-03 refuses two origins, even if both are allowed", async () => {
    gauge = await startGauge(face);
    const origin = `http://localhost:${gauge.port}`;
    expect([400, 403]).toContain((await gauge.send(post(initialize(), { origin: [origin, origin] }))).status);
    expect(gauge.counts().sessions).toBe(0);
  });

  test("case HTTP-04 serves a request without an origin, without CORS headers", async () => {
    gauge = await startGauge(face);
    const response = await gauge.send(post(initialize()));
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    expect((await gauge.send(post(initialize(), { host: "evil.example" }))).status).toBe(403);
  });

  test.each([
    ["localhost.evil.example", 403],
    ["127.0.0.1.evil.example:80", 403],
    ["localhost/x", 400],
    ["localhost?x", 400],
    ["localhost#x", 400],
    ["a@localhost", 400],
    ["local host", 400],
    ["localhost, localhost", 400],
    ["", 400],
  ])("case HTTP-05 case HTTP-06 answers Host %j with %i", async (host, status) => {
    gauge = await startGauge(face);
    const response = await gauge.send(post(initialize(), { host }));
    expect([response.status, json(response)]).toEqual([status, problem()]);
    await servesOn(gauge);
  });

  test("case HTTP-07 allows its own and configured hosts, with and without the port", async () => {
    gauge = await startGauge(face, { allowedHosts: ["mcp.example", "pinned.example:8443"] });
    const { port } = gauge;
    const names = ["localhost", "127.0.0.1", "[::1]", "LocalHost", "mcp.example"];
    for (const host of [...names, ...names.map((name) => `${name}:${port}`), "pinned.example:8443"]) {
      expect.soft((await gauge.send(post(initialize(), { host }))).status, host).toBe(200);
    }
    for (const host of ["pinned.example", "pinned.example:8444", "x.mcp.example"]) {
      expect.soft((await gauge.send(post(initialize(), { host }))).status, host).toBe(403);
    }
  });
});

test("case HTTP-01 over sockets: refuses before the body arrives", async () => {
  await using gauge = await startGauge();
  using raw = await RawHttp.open(gauge.port);
  raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: ${EVIL}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`);
  expect(await raw.answers(1)).toEqual([403]);
});

test("case HTTP-01 over web: refuses without reading the body", async () => {
  const handle = toFetch(gaugeServer());
  const body = new ReadableStream({ pull: () => expect.unreachable("the body was read") }, { highWaterMark: 0 });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body,
    duplex: "half",
    headers: { origin: EVIL, "content-type": "application/json" },
  };
  expect((await handle(new Request("http://localhost:3920/mcp", init))).status).toBe(403);
  await handle.close();
});

/** The head of a good request, but for the host and what else is given; the message follows. */
const head = (target: string, host: string): string => {
  const body = JSON.stringify(initialize());
  return `POST ${target} HTTP/1.1\r\n${host}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

test.each([
  ["two Hosts, both good", "/mcp", "Host: localhost\r\nHost: localhost\r\n", 400],
  ["two Hosts", "/mcp", "Host: localhost\r\nHost: evil.example\r\n", 400],
  ["two Hosts, the foreign one first", "/mcp", "Host: evil.example\r\nHost: localhost\r\n", 400],
  ["an empty Host", "/mcp", "Host:\r\n", 400],
  ["no Host", "/mcp", "", 400],
  ["another authority in the target", "http://evil.example/mcp", "Host: localhost\r\n", 400],
  ["another port in the target", "http://localhost:1/mcp", "Host: localhost\r\n", 400],
  ["another user in the target", "http://a@localhost/mcp", "Host: localhost\r\n", 400],
  ["another scheme in the target", "https://localhost/mcp", "Host: localhost\r\n", 400],
  ["a foreign Host behind a good target", "http://localhost/mcp", "Host: evil.example\r\n", 403],
  ["the same authority in the target", "http://localhost/mcp", "Host: localhost\r\n", 200],
  ["a target that looks like an authority", "//localhost/mcp", "Host: localhost\r\n", 404],
  ["a target that climbs", "/x/../mcp", "Host: localhost\r\n", 404],
  ["an encoded target", "/%6dcp", "Host: localhost\r\n", 404],
])("case HTTP-05 over sockets: %s", async (_what, target, host, status) => {
  await using gauge = await startGauge();
  using raw = await RawHttp.open(gauge.port);
  raw.write(head(target, host));
  await raw.ends();
  expect(raw.statuses).toEqual([status]);
  expect(gauge.counts().sessions).toBe(status === 200 ? 1 : 0);
  await servesOn(gauge);
});

test("case HTTP-05 over web: takes the host from the URL without a Host header", async () => {
  const handle = toFetch(gaugeServer());
  const asked = async (url: string, headers: HttpRequest["headers"] = {}): Promise<number> =>
    (
      await handle(
        new Request(url, {
          method: "POST",
          headers: { ...post("").headers, ...headers } as Record<string, string>,
          body: JSON.stringify(initialize()),
        }),
      )
    ).status;
  expect(await asked("http://localhost:3920/mcp")).toBe(200);
  expect(await asked("http://evil.example/mcp")).toBe(403);
  expect(await asked("http://localhost:3920/mcp", { host: "evil.example" })).toBe(403);
  await handle.close();
});
