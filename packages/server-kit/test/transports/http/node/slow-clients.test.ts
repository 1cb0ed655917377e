// Time limits close clients that are slow; other clients are not affected (security case HTTP-23; rule H7). slow-clients.deep.test.ts has a
// thousand of them.
import { describe, expect, test } from "vitest";
import { defineServer } from "../../../../src/index.ts";
import { serveHttp } from "../../../../src/node.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import { servesOn } from "../../../support/http-faces.ts";
import { eventually } from "../../../support/sample.ts";
import { SlowClientsServer, HEAD } from "../../../support/slow-clients.ts";

describe("case HTTP-23", () => {
  test("limits headers and body of a slow request by one time together", async () => {
    await using server = await SlowClientsServer.start();
    const [peer] = (await server.open(1)) as [Awaited<ReturnType<SlowClientsServer["open"]>>[number]];
    peer.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const drip = setInterval(() => peer.isOpen && peer.write("1\r\n \r\n"), 20);
    await peer.ends().finally(() => clearInterval(drip)); // without a limit, the request never ends
    expect(peer.statuses).toEqual([408]);
    expect(server.http.counts().sessions).toBe(0);
  });

  test("allows a new connection to be silent for the keep-alive time", async () => {
    const http = await serveHttp(defineServer({ name: "kept", version: "1.0.0" }), { port: 0, graceMs: 0 });
    const { headers } = await fetch(http.url);
    await http.stop();
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get("keep-alive") ?? "") ?? [];
    // Otherwise the server closes an unused connection that the client still keeps, and its next request gets 408.
    expect(Number(seconds) * 1000).toBeLessThanOrEqual(DEFAULT_HTTP_LIMITS.headersMs);
    expect(Number(seconds)).toBeGreaterThan(0);
  });

  test("refuses connections beyond the limit, and accepts them again later", async () => {
    await using server = await SlowClientsServer.start({ connections: 20 });
    const { http, served } = server;
    const first = await server.open(20);
    await eventually(() => http.counts().connections).toBe(20);
    const more = await server.open(30);
    await Promise.all(more.map((peer) => peer.ends()));
    expect(more.map((peer) => peer.came).join("")).toBe("");
    expect(http.counts().connections).toBe(20);
    first[0]![Symbol.dispose]();
    await eventually(() => http.counts().connections).toBe(19);
    await servesOn(served);
  });

  test("leaves nothing behind of 30 clients that disconnect at once", async () => {
    await using server = await SlowClientsServer.start();
    await server.outlivesDisconnects(30);
  });
});
