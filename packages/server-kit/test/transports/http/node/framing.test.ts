// Where a request begins and ends: nothing may be read two ways (security cases HTTP-24, HTTP-25; rules H3 and H8).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGauge, type Gauge } from "../../../support/gauge.ts";
import { openSession, servesOn } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { call, request } from "../../../support/sample.ts";

let gauge: Gauge;
beforeEach(async () => void (gauge = await startGauge()));
afterEach(async () => {
  await servesOn(gauge);
  await gauge[Symbol.asyncDispose]();
});

const HEAD = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const INITIALIZE = JSON.stringify(initialize());
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const sized = (body: string, headers = ""): string => `${HEAD}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("case HTTP-25 refuses an ambiguous request, and closes the connection", () => {
  test.each([
    ["both lengths", `Content-Length: 5\r\n${CHUNKED}`, "0\r\n\r\nhello"],
    ["both lengths, the other way round", `${CHUNKED}Content-Length: 5\r\n`, "0\r\n\r\nhello"],
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"],
    ["the same length twice", "Content-Length: 5\r\nContent-Length: 5\r\n", "hello"],
    ["a list of lengths", "Content-Length: 5, 5\r\n", "hello"],
    ["a length with a sign", "Content-Length: +5\r\n", "hello"],
    ["a negative length", "Content-Length: -5\r\n", "hello"],
    ["a length in hex", "Content-Length: 0x5\r\n", "hello"],
    ["a length with a fraction", "Content-Length: 5.0\r\n", "hello"],
    ["a length beyond all numbers", "Content-Length: 99999999999999999999999\r\n", "hello"],
    ["no length in the header", "Content-Length:\r\n", "hello"],
    ["an unknown coding", "Transfer-Encoding: xchunked\r\n", chunk("hello")],
    ["chunks that are not the last coding", "Transfer-Encoding: chunked, identity\r\n", chunk("hello")],
    ["another coding before the chunks", "Transfer-Encoding: gzip, chunked\r\n", chunk("hello") + "0\r\n\r\n"],
    ["another coding before the chunks, in two lines", `Transfer-Encoding: gzip\r\n${CHUNKED}`, chunk("hello") + "0\r\n\r\n"],
    ["no coding before the chunks", "Transfer-Encoding: , chunked\r\n", chunk("hello") + "0\r\n\r\n"],
    ["chunks with a parameter", "Transfer-Encoding: chunked;a=b\r\n", chunk("hello") + "0\r\n\r\n"],
    ["no coding", "Transfer-Encoding:\r\n", ""],
    ["chunks twice", `${CHUNKED}${CHUNKED}`, chunk("hello")],
    ["a chunk size that is not a number", CHUNKED, "zz\r\nhello\r\n0\r\n\r\n"],
    ["a negative chunk size", CHUNKED, "-5\r\nhello\r\n0\r\n\r\n"],
    ["a chunk size with a sign", CHUNKED, "+5\r\nhello\r\n0\r\n\r\n"],
    ["a chunk size with 0x", CHUNKED, "0x5\r\nhello\r\n0\r\n\r\n"],
    ["a chunk size beyond all numbers", CHUNKED, "ffffffffffffffffff\r\nhello\r\n0\r\n\r\n"],
    ["no chunk size", CHUNKED, "\r\nhello\r\n0\r\n\r\n"],
    ["a chunk that is longer than it says", CHUNKED, "5\r\nhello!\r\n0\r\n\r\n"],
    ["chunks with bare LF", CHUNKED, "5\nhello\n0\n\n"],
    ["a header with bare LF", "X-A: a\nX-B: b\r\nContent-Length: 0\r\n", ""],
    ["a header with bare CR", "X-A: a\rX-B: b\r\nContent-Length: 0\r\n", ""],
    ["a header with NUL", "X-A: a\0b\r\nContent-Length: 0\r\n", ""],
    ["a blank before the colon", "X-A : a\r\nContent-Length: 0\r\n", ""],
    ["a blank in a name", "X A: a\r\nContent-Length: 0\r\n", ""],
    ["a name with no letters", ": a\r\nContent-Length: 0\r\n", ""],
    ["a header without a colon", "X-A\r\nContent-Length: 0\r\n", ""],
    ["case HTTP-24 a folded line", "X-A: a\r\n b\r\nContent-Length: 0\r\n", ""],
    ["case HTTP-24 a line folded by a tab", "X-A: a\r\n\tb\r\nContent-Length: 0\r\n", ""],
    ["case HTTP-24 a folded line first", " X-A: a\r\nContent-Length: 0\r\n", ""],
  ])("%s", async (_what, headers, body) => {
    expect(await RawHttp.exchange(gauge.port, `${HEAD}${headers}\r\n${body}`)).toMatch(
      /^HTTP\/1\.1 (400|413) [^]*\r\nConnection: close\r\n[^]*$/i,
    );
    expect(gauge.counts().sessions).toBe(0);
  });

  test.each([
    ["lines that end with LF", "POST /mcp HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n"],
    ["HTTP/0.9", "GET /mcp\r\n\r\n"],
    ["HTTP/0.9 with a verb that it does not have", "POST /mcp\r\n\r\n"],
    ["HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/3.0", "GET /mcp HTTP/3.0\r\nHost: localhost\r\n\r\n"],
    ["a blank in the target", "GET /mcp x HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["TLS", Buffer.from("160301020001000001fc0303", "hex")],
    ["a message of stdio", `${INITIALIZE}\n`],
  ])("%s", async (_what, text) => {
    expect(await RawHttp.exchange(gauge.port, text)).toMatch(/^HTTP\/1\.1 400 /);
    expect(gauge.counts().sessions).toBe(0);
  });

  test.each(["chunked", "identity", "gzip, chunked"])("Transfer-Encoding %s in HTTP/1.0", async (coding) => {
    const head = HEAD.replace("HTTP/1.1", "HTTP/1.0");
    const came = await RawHttp.exchange(gauge.port, `${head}Transfer-Encoding: ${coding}\r\n\r\n${chunk(INITIALIZE)}0\r\n\r\n`);
    expect(came).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n[^]*$/i);
    expect(gauge.counts().sessions).toBe(0);
  });

  test("refuses HTTP/1.0 without a Host, and serves it with one", async () => {
    expect(await RawHttp.exchange(gauge.port, sized(INITIALIZE).replace("HTTP/1.1\r\nHost: localhost", "HTTP/1.0"))).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(await RawHttp.exchange(gauge.port, sized(INITIALIZE).replace("HTTP/1.1", "HTTP/1.0"))).toMatch(
      /^HTTP\/1\.1 200 [^]*"protocolVersion"/,
    );
  });
});

describe("case HTTP-25 replies match their requests", () => {
  /** The ids of the answers, in the order in which they came. */
  const ids = (came: string): string[] => [...came.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id ?? "");

  test("of requests in one write, by Content-Length and by chunks", async () => {
    const session = await openSession(gauge);
    const headers = `Mcp-Session-Id: ${session["mcp-session-id"]}\r\n`;
    const asks = Array.from({ length: 50 }, (_, at) => {
      const body = JSON.stringify(call(`n${at}`, "echo", { message: `text ${at}` }));
      return at % 3 === 0
        ? `${HEAD}${headers}${CHUNKED}\r\n${chunk(body.slice(0, 7))}${chunk(body.slice(7))}0\r\n\r\n`
        : sized(body, headers);
    });
    using raw = await RawHttp.open(gauge.port);
    raw.write(asks.join(""));
    expect(await raw.answers(50, /text 49/)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(ids(raw.came)).toEqual(Array.from({ length: 50 }, (_, at) => `n${at}`));
  });

  test("of requests that come byte by byte", async () => {
    const session = await openSession(gauge);
    using raw = await RawHttp.open(gauge.port);
    raw.socket.setNoDelay();
    const text = sized(JSON.stringify(call("a", "echo", { message: "ä" })), `Mcp-Session-Id: ${session["mcp-session-id"]}\r\n`);
    for (const byte of Buffer.from(text + text.replace('"a"', '"b"')))
      await new Promise((resolve) => raw.socket.write(Uint8Array.of(byte), resolve));
    await raw.answers(2, /"id":"b"/);
    expect(ids(raw.came)).toEqual(["a", "b"]);
  });

  test("of good and bad ones in turn", async () => {
    using raw = await RawHttp.open(gauge.port);
    const foreign = sized(INITIALIZE, "Origin: https://evil.example\r\n");
    raw.write([sized("{"), sized(INITIALIZE), foreign, sized(INITIALIZE), sized(JSON.stringify(request("x", "ping")))].join(""));
    expect(await raw.answers(5, /\}$/)).toEqual([400, 200, 403, 200, 400]);
  });

  test.each([
    ["a rest that is not a request", "garbage\r\n\r\n"],
    ["a rest that never ends", "garbage"],
    ["a message behind the message", INITIALIZE],
  ])("reports extra data after the body, %s, and closes the connection", async (_what, extra) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(sized(JSON.stringify(request("x", "ping"))) + extra);
    await raw.ends();
    expect(raw.statuses.at(-1)).toBe(400);
    expect(raw.statuses.length).toBeLessThanOrEqual(2);
    expect(gauge.counts().sessions).toBe(0);
  });
});

describe("case HTTP-24 header bombs", () => {
  test.each([
    ["a header of 64 KB", `X-A: ${"a".repeat(65_536)}\r\n`],
    ["a name of 64 KB", `${"a".repeat(65_536)}: x\r\n`],
    ["a session id of 64 KB", `Mcp-Session-Id: ${"a".repeat(65_536)}\r\n`],
    ["2,000 headers", "a: b\r\n".repeat(2000)],
    ["2,000 headers of different names", Array.from({ length: 2000 }, (_, at) => `a${at}:\r\n`).join("")],
    ["201 headers", "a: b\r\n".repeat(201)],
    ["200,000 headers", "a: b\r\n".repeat(200_000)],
  ])("are refused: %s", async (_what, headers) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(`${HEAD}${headers}Content-Length: ${INITIALIZE.length}\r\n\r\n${INITIALIZE}`);
    expect(await raw.answers(1)).toEqual([431]);
    expect(gauge.counts().sessions).toBe(0);
  });

  test.each([
    ["a target of 64 KB", `GET /mcp?${"a".repeat(65_536)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ["a chunk extension of 64 KB", `${HEAD}${CHUNKED}\r\n5;${"a".repeat(65_536)}\r\nhello\r\n0\r\n\r\n`, 413],
    ["trailers of 64 KB", `${HEAD}${CHUNKED}\r\n0\r\n${"X-A: a\r\n".repeat(8192)}\r\n`, 431],
  ])("are refused: %s", async (_what, text, status) => {
    using raw = await RawHttp.open(gauge.port);
    raw.write(text);
    expect(await raw.answers(1)).toEqual([status]);
  });

  test("may have names that objects inherit", async () => {
    using raw = await RawHttp.open(gauge.port);
    const odd = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "__defineGetter__"];
    raw.write(sized(INITIALIZE, odd.map((name) => `${name}: polluted\r\n`).join("")));
    expect(await raw.answers(1, /protocolVersion/)).toEqual([200]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each([
    "Authorization: Bearer x",
    "MCP-Protocol-Version: 2025-11-25",
    "Mcp-Session-Id: x",
    "Last-Event-ID: 0-0",
    "Content-Type: application/json",
    "Origin: null",
    "Content-Encoding: identity",
  ])("are refused with %j twice, in any letter case", async (line) => {
    const [name = "", value = ""] = line.split(": ");
    const had = name === "Content-Type" ? "" : `${line}\r\n`;
    using raw = await RawHttp.open(gauge.port);
    raw.write(sized(INITIALIZE, `${had}${name.toUpperCase()}: ${value}\r\n`));
    expect(await raw.answers(1, /\}$/)).toEqual([400]);
    expect(raw.came.toLowerCase()).toContain(`duplicate ${name.toLowerCase()} header`);
    expect(gauge.counts().sessions).toBe(0);
  });
});
