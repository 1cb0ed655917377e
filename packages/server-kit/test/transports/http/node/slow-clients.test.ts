// Time limits close clients that are slow or silent or do not read; other clients are not affected (security case HTTP-23; rule H7).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../../../src/index.ts";
import { serveHttp, type HttpServer } from "../../../../src/node.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../../src/transports/http/http-limits.ts";
import { BOTH, openSession, overSocket, servesOn, type Served } from "../../../support/http-faces.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { call, eventually } from "../../../support/sample.ts";

const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\n`;
const MiB = 1024 * 1024;

describe("case HTTP-23", () => {
  let http: HttpServer;
  let served: Pick<Served, "send">;
  let peers: RawHttp[];

  async function start(limits: { connections?: number } = {}): Promise<void> {
    const big = tool({ name: "big", run: () => "x".repeat(2 * MiB) });
    const echo = tool({ name: "echo", input: z.object({ message: z.string() }), run: ({ message }) => message });
    const server = defineServer({ name: "slow", version: "1.0.0", tools: [big, echo] });
    http = await serveHttp(server, { port: 0, graceMs: 0, http: { headersMs: 300, bodyMs: 600, stalledMs: 600, ...limits } });
    served = { send: (sent) => overSocket(http.port, sent) };
  }

  beforeEach(() => void (peers = []));
  afterEach(async () => {
    for (const peer of peers) peer[Symbol.dispose]();
    await http.stop();
  });

  /** Opens so many connections, some at a time: a queue of the system that overflows would cost a second. */
  async function open(count: number): Promise<RawHttp[]> {
    const opened: RawHttp[] = [];
    while (opened.length < count) {
      opened.push(...(await Promise.all(Array.from({ length: Math.min(100, count - opened.length) }, () => RawHttp.open(http.port)))));
    }
    peers.push(...opened);
    return opened;
  }

  test("1,000 connections: a header byte at a time, a body byte at a time, nothing at all, nothing read", async () => {
    await start();
    const session = await openSession(served as Served);
    const slow: RawHttp[] = [];
    // Whoever sends something now and then does not win time by it.
    const drip = setInterval(() => {
      for (const peer of slow) if (peer.isOpen) peer.write(" ");
    }, 100);
    try {
      for (const begun of ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", `${HEAD}Content-Length: 1000\r\n\r\n{`]) {
        const some = await open(330);
        for (const peer of some) peer.write(begun);
        slow.push(...some);
      }
      await open(330);
      // Clients that do not read do not notice the end, so the test does not wait for them.
      const body = JSON.stringify(call(1, "big"));
      for (const peer of await open(10)) {
        peer.socket.pause();
        peer.write(`${HEAD}Mcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(20));
      }
      let rounds = 0;
      const began = performance.now();
      while (http.counts().connections > 0) {
        expect(performance.now() - began).toBeLessThan(50_000);
        await servesOn(served as Served);
        rounds++;
      }
      expect(rounds).toBeGreaterThan(3);
    } finally {
      clearInterval(drip);
    }
    // An answer may be lost with the connection while its peer still writes.
    await Promise.all(slow.map((peer) => peer.closed));
    expect(new Set(slow.map((peer) => peer.statuses.join() || "408"))).toEqual(new Set(["408"]));
    expect(http.counts()).toEqual({ sessions: 1, streams: 0, running: 0, connections: 0 });
    await servesOn(served as Served);
  });

  test("a request of many slow parts has the same time limit for headers and body together", async () => {
    await start();
    const [peer] = (await open(1)) as [RawHttp];
    const began = performance.now();
    const text = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
    peer.write(text);
    const drip = setInterval(() => peer.isOpen && peer.write("1\r\n \r\n"), 20);
    await peer.ends().finally(() => clearInterval(drip));
    expect(peer.statuses).toEqual([408]);
    expect(performance.now() - began).toBeLessThan(50_000); // without a limit, the request never ends
    expect(http.counts().sessions).toBe(0);
  });

  test("a new connection may be silent as long as the keep-alive time allows", async () => {
    await using server = {
      http: await serveHttp(defineServer({ name: "kept", version: "1.0.0" }), { port: 0 }),
      [Symbol.asyncDispose]: () => server.http.stop(),
    };
    const { headers } = await fetch(server.http.url);
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get("keep-alive") ?? "") ?? [];
    // Otherwise the server closes an unused connection that the client still keeps, and its next request gets 408.
    expect(Number(seconds) * 1000).toBeLessThanOrEqual(DEFAULT_HTTP_LIMITS.headersMs);
    expect(Number(seconds)).toBeGreaterThan(0);
  });

  test("more connections than allowed are turned away, and taken again when there is room", async () => {
    await start({ connections: 20 });
    const first = await open(20);
    await eventually(() => http.counts().connections).toBe(20);
    const more = await open(30);
    await Promise.all(more.map((peer) => peer.ends()));
    expect(more.map((peer) => peer.came).join("")).toBe("");
    expect(http.counts().connections).toBe(20);
    first[0]![Symbol.dispose]();
    await eventually(() => http.counts().connections).toBe(19);
    await servesOn(served as Served);
  });

  test("a thousand clients that disconnect at once leave nothing behind", async () => {
    await start();
    const session = await openSession(served as Served);
    const body = JSON.stringify(call(1, "big"));
    const parts = [
      "",
      "POST /mc",
      HEAD,
      `${HEAD}Content-Length: 9\r\n\r\n{`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
      `${HEAD}Mcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ];
    for (let round = 0; round < 10; round++) {
      const some = await open(100);
      for (const [at, peer] of some.entries()) {
        peer.write(parts[at % parts.length]!);
        if (at % 2 === 0) peer.socket.resetAndDestroy();
        else peer.socket.destroy();
      }
    }
    await eventually(() => http.counts()).toEqual({ sessions: 1, streams: 0, running: 0, connections: 0 });
    await servesOn(served as Served);
  });
});
