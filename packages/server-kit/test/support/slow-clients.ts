// A server with short time limits, and connections to it that are slow, silent, deaf or gone (security case HTTP-23; rule H7).
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../src/index.ts";
import { serveHttp, type HttpServer } from "../../src/node.ts";
import { BOTH, openSession, overSocket, servesOn, type Served } from "./http-faces.ts";
import { RawHttp } from "./raw-http.ts";
import { call, eventually } from "./sample.ts";

export const HEAD = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\n`;
const MiB = 1024 * 1024;
const IDLE = { sessions: 1, streams: 0, running: 0, connections: 0 };

/** Long enough for a good client on a busy machine. */
const TIMES = { headersMs: 1500, bodyMs: 2000, stalledMs: 2000 };

/** The system has a queue for new connections; one that overflows would cost a second. */
const OPEN_AT_ONCE = 100;

export class SlowClientsServer implements AsyncDisposable {
  readonly http: HttpServer;
  readonly served: Served;
  readonly #peers: RawHttp[] = [];

  private constructor(http: HttpServer) {
    this.http = http;
    const { port } = http;
    this.served = {
      port,
      send: (sent) => overSocket(port, sent),
      counts: () => http.counts(),
      [Symbol.asyncDispose]: () => this[Symbol.asyncDispose](),
    };
  }

  static async start(limits: { connections?: number } = {}): Promise<SlowClientsServer> {
    const big = tool({ name: "big", run: () => "x".repeat(2 * MiB) });
    const echo = tool({ name: "echo", input: z.object({ message: z.string() }), run: ({ message }) => message });
    const server = defineServer({ name: "slow", version: "1.0.0", tools: [big, echo] });
    return new SlowClientsServer(await serveHttp(server, { port: 0, graceMs: 0, http: { ...TIMES, ...limits } }));
  }

  async open(count: number): Promise<RawHttp[]> {
    const opened: RawHttp[] = [];
    while (opened.length < count) {
      const some = Math.min(OPEN_AT_ONCE, count - opened.length);
      opened.push(...(await Promise.all(Array.from({ length: some }, () => RawHttp.open(this.http.port)))));
    }
    this.#peers.push(...opened);
    return opened;
  }

  /** A call whose answer is long. */
  async #longCall(): Promise<string> {
    const session = await openSession(this.served);
    const body = JSON.stringify(call(1, "big"));
    return `${HEAD}Mcp-Session-Id: ${session["mcp-session-id"]}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  /**
   * So many connections send a header byte at a time, a body byte at a time, or nothing at all, and some do not read: all are closed, and
   * others are served meanwhile.
   */
  async outlasts(each: number, deaf: number): Promise<void> {
    const asked = await this.#longCall();
    const slow: RawHttp[] = [];
    // Whoever sends something now and then does not win time by it.
    const drip = setInterval(() => {
      for (const peer of slow) if (peer.isOpen) peer.write(" ");
    }, 100);
    try {
      for (const begun of ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", `${HEAD}Content-Length: 1000\r\n\r\n{`]) {
        const some = await this.open(each);
        for (const peer of some) peer.write(begun);
        slow.push(...some);
      }
      await this.open(each);
      // Clients that do not read do not notice the end, so the test does not wait for them.
      for (const peer of await this.open(deaf)) {
        peer.socket.pause();
        peer.write(asked.repeat(10));
      }
      let rounds = 0;
      while (this.http.counts().connections > 0) {
        await servesOn(this.served);
        await sleep(20);
        rounds++;
      }
      expect(rounds).toBeGreaterThan(3);
    } finally {
      clearInterval(drip);
    }
    // An answer may be lost with the connection while its peer still writes.
    await Promise.all(slow.map((peer) => peer.closed));
    expect(new Set(slow.map((peer) => peer.statuses.join() || "408"))).toEqual(new Set(["408"]));
    expect(this.http.counts()).toEqual(IDLE);
    await servesOn(this.served);
  }

  /** So many clients disconnect in the middle of everything, and leave nothing behind. */
  async outlivesDisconnects(count: number): Promise<void> {
    const parts = [
      "",
      "POST /mc",
      HEAD,
      `${HEAD}Content-Length: 9\r\n\r\n{`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
      await this.#longCall(),
    ];
    for (let gone = 0; gone < count; gone += OPEN_AT_ONCE) {
      for (const [at, peer] of (await this.open(Math.min(OPEN_AT_ONCE, count - gone))).entries()) {
        peer.write(parts[at % parts.length]!);
        if (at % 2 === 0) peer.socket.resetAndDestroy();
        else peer.socket.destroy();
      }
    }
    await eventually(() => this.http.counts()).toEqual(IDLE);
    await servesOn(this.served);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const peer of this.#peers) peer[Symbol.dispose]();
    await this.http.stop();
  }
}
