// Bodies that are too long, never end, or lie about their length (security case HTTP-22; rules G3 and H7).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toFetch } from "../../../../src/fetch.ts";
import type { ServeHttpOptions } from "../../../../src/node.ts";
import { gaugeServer, startGauge, type Gauge } from "../../../support/gauge.ts";
import { BOTH, json, openSession, overFaces, post, problem, servesOn } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { call, eventually, words } from "../../../support/sample.ts";

const MiB = 1024 * 1024;
const LIMIT = 100_000;
/** Levels of nesting: enough to overflow the stack of whatever recurs. */
const DEEP = 50_000;
const LEGACY = { legacySse: true, limits: { messageBytes: LIMIT } } satisfies ServeHttpOptions;

/** A call whose text is this long, in bytes. */
function sized(id: number, bytes: number): string {
  const bare = JSON.stringify(call(id, "echo", { message: "" }));
  return JSON.stringify(call(id, "echo", { message: "x".repeat(bytes - bare.length) }));
}

overFaces("case HTTP-22 a body", (face) => {
  test("serves bodies up to the limit, and refuses one byte more, on the endpoint and on the old pair", async () => {
    await using gauge = await startGauge(face, LEGACY);
    const session = await openSession(gauge);
    expect(json(await gauge.send(post(sized(1, LIMIT), session)))).toMatchObject({ id: 1, result: {} });
    for (const path of ["/mcp", "/messages?sessionId=x"]) {
      const response = await gauge.send({ ...post(sized(2, LIMIT + 1), session), path });
      expect([response.status, json(response)], path).toEqual([413, problem()]);
    }
    // The limit counts bytes.
    expect((await gauge.send(post(`"${"ä".repeat(LIMIT / 2)}"`, session))).status).toBe(413);
    await servesOn(gauge);
  });

  test("serves 1 MiB by default, and refuses more than 4 MiB", async () => {
    await using gauge = await startGauge(face);
    const session = await openSession(gauge);
    const message = "x".repeat(MiB);
    expect(json(await gauge.send(post(call(1, "echo", { message }), session)))).toEqual(words(1, message));
    expect((await gauge.send(post(sized(2, 4 * MiB), session))).status).toBe(200);
    expect((await gauge.send(post(sized(2, 4 * MiB + 1), session))).status).toBe(413);
    await servesOn(gauge);
  });

  test("refuses a body that nests too deep", async () => {
    await using gauge = await startGauge(face);
    const session = await openSession(gauge);
    for (const value of ["[".repeat(DEEP) + "]".repeat(DEEP), `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`]) {
      const response = await gauge.send(
        post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mark","arguments":{"x":${value}}}}`, session),
      );
      expect([response.status, json(response)]).toEqual([400, problem()]);
    }
    expect(gauge.marks).toBe(0);
    await servesOn(gauge);
  });
});

describe("case HTTP-22 over sockets", () => {
  let gauge: Gauge;
  beforeEach(async () => void (gauge = await startGauge(undefined, { ...LEGACY, http: { headersMs: 500, bodyMs: 500 } })));
  afterEach(async () => {
    await servesOn(gauge);
    await gauge[Symbol.asyncDispose]();
  });

  const head = (more: string, path = "/mcp"): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\n${more}\r\n`;
  const CHUNKED = "Transfer-Encoding: chunked\r\n";
  const INITIALIZE = JSON.stringify(initialize());

  test.each(["/mcp", "/messages?sessionId=x"])("refuses a declared gigabyte unread, and closes the connection, on %s", async (path) => {
    const came = await RawHttp.exchange(gauge.port, head("Content-Length: 1000000000\r\n", path));
    expect(came).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
  });

  const EXPECT = "Expect: 100-continue\r\n";

  test.each([
    ["that is too long", 413, "Content-Length: 1000000000\r\n"],
    ["case HTTP-01 of a foreign origin", 403, "Origin: https://evil.example\r\nContent-Length: 9\r\n"],
    ["case HTTP-05 with two hosts", 400, "Host: evil.example\r\nContent-Length: 9\r\n"],
    ["in a coding that is not taken", 415, "Content-Encoding: gzip\r\nContent-Length: 9\r\n"],
  ])("refuses a body %s before it asks for the body", async (_which, status, more) => {
    const came = await RawHttp.exchange(gauge.port, head(EXPECT + more));
    expect(came).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nConnection: close\\r\\n`, "s"));
  });

  test("asks for an acceptable body once", async () => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(head(`${EXPECT}Content-Length: ${INITIALIZE.length}\r\n`));
    expect(await raw.answers(1)).toEqual([100]);
    raw.write(INITIALIZE);
    expect(await raw.answers(2, /"protocolVersion"/)).toEqual([100, 200]);
  });

  /** Writes chunks for as long as the other side takes them. */
  async function pour(raw: RawHttp): Promise<number> {
    const part = `${(16_384).toString(16)}\r\n${"x".repeat(16_384)}\r\n`;
    let sent = 0;
    while (raw.isOpen) {
      if (!raw.write(part)) await Promise.race([raw.closed, new Promise((resolve) => raw.socket.once("drain", resolve))]);
      sent += part.length;
    }
    return sent;
  }

  test.each([
    ["at the limit", "/mcp", "", 413],
    ["at the limit of the old pair", "/messages?sessionId=x", "", 413],
    ["when it is foreign", "/mcp", "Origin: https://evil.example\r\n", 403],
    ["when it is for nobody", "/elsewhere", "", 404],
    ["when it is compressed", "/mcp", "Content-Encoding: gzip\r\n", 415],
  ])("cuts off an endless body in chunks %s, after one response", async (_what, path, more, status) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(head(CHUNKED + more, path));
    await pour(raw);
    // The answer may be lost with the connection while we still write; whatever came is that one.
    expect(raw.statuses.filter((one) => one !== status)).toEqual([]);
    expect(raw.statuses.length).toBeLessThanOrEqual(1);
    await eventually(() => (gauge.counts() as { connections?: number }).connections).toBe(0);
  });

  test.each([
    ["at the limit", "", 413],
    ["when it is foreign", "Origin: https://evil.example\r\n", 403],
  ])("sends one response only to a body in chunks that stops after its refusal %s", async (_what, more, status) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(head(CHUNKED + more));
    for (let sent = 0; sent < LIMIT + 20_000; sent += 20_000) raw.write(`4e20\r\n${"x".repeat(20_000)}\r\n`);
    await raw.ends();
    expect(raw.statuses).toEqual([status]);
    expect(raw.came).toMatch(/\r\nConnection: close\r\n/i);
  });

  test("waits for the rest of a body that is shorter than declared, then times out", async () => {
    const came = await RawHttp.exchange(gauge.port, `${head(`Content-Length: ${INITIALIZE.length + 1}\r\n`)}${INITIALIZE}`);
    expect(came).toMatch(/^HTTP\/1\.1 408 /);
    expect(gauge.counts().sessions).toBe(0);
  });

  test("leaves nothing behind after a body that breaks off", async () => {
    for (const framing of [CHUNKED, `Content-Length: ${INITIALIZE.length}\r\n`]) {
      using raw = await RawHttp.open(gauge.port);
      raw.write(head(framing) + (framing === CHUNKED ? `${INITIALIZE.length.toString(16)}\r\n` : "") + INITIALIZE.slice(0, -1));
      await eventually(() => (gauge.counts() as { connections?: number }).connections).toBe(1);
      raw.socket.resetAndDestroy();
      await eventually(() => (gauge.counts() as { connections?: number }).connections).toBe(0);
    }
    expect(gauge.counts()).toMatchObject({ sessions: 0, running: 0 });
  });

  test("does not read a body beyond its declared length as a second message", async () => {
    const came = await RawHttp.exchange(gauge.port, `${head(`Content-Length: ${INITIALIZE.length - 1}\r\n`)}${INITIALIZE}`);
    expect(came).toMatch(/HTTP\/1\.1 400 /);
    expect(came).not.toMatch(/HTTP\/1\.1 200 /);
    expect(gauge.counts().sessions).toBe(0);
  });

  test("does not decompress a body", async () => {
    const bomb = "\u001f\u008b\b\u0000\u0000\u0000\u0000\u0000\u0000\u0003";
    using raw = await RawHttp.open(gauge.port);
    raw.socket.write(`${head(`Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n`)}${bomb}`, "latin1");
    expect(await raw.answers(1)).toEqual([415]);
    // As a transfer coding it is not decoded either, so the body is not JSON.
    using coded = await RawHttp.open(gauge.port);
    coded.socket.write(`${head("Transfer-Encoding: gzip, chunked\r\n")}a\r\n${bomb}\r\n0\r\n\r\n`, "latin1");
    expect(await coded.answers(1)).toEqual([400]);
  });
});

describe("case HTTP-22 over web", () => {
  const streamed = (body: ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request => {
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body,
      duplex: "half",
      headers: { accept: BOTH, "content-type": "application/json", ...headers },
    };
    return new Request("http://localhost:3920/mcp", init);
  };

  test("stops reading an endless body at the limit", async () => {
    const handle = toFetch(gaugeServer(), { limits: { messageBytes: LIMIT } });
    let given = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => (controller.enqueue(new Uint8Array(16_384).fill(32)), void given++),
      cancel: () => void (cancelled = true),
    });
    expect((await handle(streamed(endless))).status).toBe(413);
    await eventually(() => cancelled).toBe(true);
    expect(given).toBeLessThan(LIMIT / 16_384 + 4);
    await handle.close();
  });

  test("refuses a declared length beyond the limit unread, and counts the bytes of a body with a false one", async () => {
    const handle = toFetch(gaugeServer(), { limits: { messageBytes: LIMIT } });
    const unread = new ReadableStream<Uint8Array>({ pull: () => expect.unreachable("the body was read") }, { highWaterMark: 0 });
    expect((await handle(streamed(unread, { "content-length": "1000000000" }))).status).toBe(413);
    const long = (): ReadableStream<Uint8Array> => new Blob([" ".repeat(LIMIT + 1)]).stream();
    for (const length of ["5", "-5", "x", "5, 5", ""])
      expect((await handle(streamed(long(), { "content-length": length }))).status, length).toBe(413);
    await handle.close();
  });

  test("refuses a body that breaks off, without effect", async () => {
    const handle = toFetch(gaugeServer());
    const breaks = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(JSON.stringify(initialize()))),
      pull: (controller) => controller.error(new Error("gone")),
    });
    expect((await handle(streamed(breaks))).status).toBe(400);
    expect(handle.counts().sessions).toBe(0);
    await handle.close();
  });
});
