// Verbs, upgrades and tunnels that are not ours: refused, and the connection stays sound (security case HTTP-12).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGauge, type Gauge } from "../../support/gauge.ts";
import { json, openSession, overFaces, post, problem, servesOn } from "../../support/http-faces.ts";
import { initialize } from "../../support/http-talk.ts";
import { RawHttp } from "../../support/raw-http.ts";
import { call, eventually } from "../../support/sample.ts";

overFaces("case HTTP-12 methods", (face) => {
  let gauge: Gauge;
  beforeEach(async () => void (gauge = await startGauge(face, { legacySse: true })));
  afterEach(() => gauge[Symbol.asyncDispose]());

  test.each(["PUT", "PATCH", "HEAD"])("refuses %s with 405 and the allowed methods", async (method) => {
    const session = await openSession(gauge);
    const body = method === "HEAD" ? {} : { body: JSON.stringify(call(1, "mark")) };
    const response = await gauge.send({ method, headers: { ...post("").headers, ...session }, ...body });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST, DELETE"]);
    expect(method === "HEAD" ? response.text : json(response)).toEqual(method === "HEAD" ? "" : problem());
    expect(gauge.marks).toBe(0);
    await servesOn(gauge);
  });

  test.each([
    ["POST", "/sse", "GET"],
    ["DELETE", "/sse", "GET"],
    ["GET", "/messages", "POST"],
    ["DELETE", "/messages", "POST"],
  ])("refuses %s %s of the old pair with 405, and allows only %s", async (method, path, allow) => {
    const response = await gauge.send({ method, path, headers: post("").headers, ...(method === "POST" && { body: "{}" }) });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
  });

  test("OPTIONS lists the methods without CORS headers", async () => {
    const response = await gauge.send({ method: "OPTIONS" });
    expect([response.status, response.headers.get("allow"), response.headers.get("access-control-allow-methods")]).toEqual([
      204,
      "GET, POST, DELETE",
      null,
    ]);
  });

  test.each(["/", "/mcp/", "/mcp/x", "/MCP", "/mcpx", "/x", "//mcp", "/.well-known/oauth-protected-resource", "/register"])(
    "answers 404 on %s",
    async (path) => {
      for (const method of ["POST", "GET", "DELETE", "PUT"]) {
        const body = method === "POST" || method === "PUT" ? { body: JSON.stringify(initialize()) } : {};
        expect.soft((await gauge.send({ method, path, headers: post("").headers, ...body })).status, method).toBe(404);
      }
      expect(gauge.counts()).toMatchObject({ sessions: 0, streams: 0 });
    },
  );

  test("answers 404 on the old pair unless it is switched on", async () => {
    await using plain = await startGauge(face);
    for (const [method, path] of [
      ["GET", "/sse"],
      ["POST", "/messages?sessionId=x"],
    ] as const) {
      expect(
        (await plain.send({ method, path, headers: { accept: "text/event-stream" }, ...(method === "POST" && { body: "{}" }) })).status,
      ).toBe(404);
    }
  });
});

describe("case HTTP-12 over sockets", () => {
  let gauge: Gauge;
  beforeEach(async () => void (gauge = await startGauge()));
  afterEach(async () => {
    await servesOn(gauge);
    await gauge[Symbol.asyncDispose]();
  });

  const good = (): string => {
    const body = JSON.stringify(initialize());
    return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test.each([
    ["PUT with a body", "PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nPOST ", [405, 200]],
    ["PATCH in chunks", "PATCH /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nPOST \r\n0\r\n\r\n", undefined],
    ["TRACE", "TRACE /mcp HTTP/1.1\r\nHost: localhost\r\nCookie: secret=canary\r\n\r\n", [405, 200]],
    ["HEAD", "HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", [405, 200]],
  ])("refuses %s, and reads the next request on the connection as itself", async (_what, text, statuses) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(text + good());
    // A body of unknown length may be the end of the connection, but never a part of the next request.
    if (statuses === undefined) await raw.answers(1, /\}$/);
    else expect(await raw.answers(2, /"result":.*\}\}/s)).toEqual(statuses);
    expect(raw.statuses[0]).toBe(405);
    expect(raw.came).toContain("Allow: GET, POST, DELETE");
    expect(raw.came).not.toContain("canary");
  });

  const upgrade = (to: string): string =>
    `Host: localhost\r\nAccept: text/event-stream\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${to}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`;

  // Node's parser does not go on soundly behind such a request.
  test.each([
    ["websocket", `GET /mcp HTTP/1.1\r\n${upgrade("websocket")}\r\n`, 405],
    ["WebSocket with a body", `POST /mcp HTTP/1.1\r\n${upgrade("WebSocket")}Content-Length: 2\r\n\r\n{}`, 405],
    ["h2c", `GET /mcp HTTP/1.1\r\n${upgrade("h2c")}\r\n`, 400],
    ["h2c with a body", `POST /mcp HTTP/1.1\r\n${upgrade("h2c")}Content-Length: 2\r\n\r\n{}`, 415],
  ])("refuses an upgrade to %s and closes the connection, so that nothing behind it is misread", async (_what, text, status) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(`${text}POST /mcp HTTP/1.1\r\nX-Half: `);
    raw.write(good());
    await raw.ends();
    expect(raw.statuses).toEqual([status]);
    expect(gauge.counts().sessions).toBe(0);
  });

  test("refuses an unknown method and closes the connection", async () => {
    expect(await RawHttp.exchange(gauge.port, "FROB /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1\.1 40[05] /);
  });

  test("answers CONNECT with 405 and a closed connection, whatever the client sends", async () => {
    const tunnel = "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    expect(await RawHttp.exchange(gauge.port, tunnel)).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, POST, DELETE\r\n/s);
    // One that leaves rudely, at once and after the answer.
    for (const waits of [false, true]) {
      using rude = await RawHttp.open(gauge.port);
      rude.write(tunnel);
      if (waits) await rude.answers(1);
      rude.socket.resetAndDestroy();
    }
    // One that never ends its own side, and goes on talking.
    using stays = await RawHttp.open(gauge.port, { allowHalfOpen: true });
    stays.write(tunnel + good());
    await stays.answers(1);
    await eventually(() => (gauge.counts() as { connections?: number }).connections).toBe(0);
    expect(stays.statuses).toEqual([405]);
    expect(gauge.counts().sessions).toBe(0);
  });
});
