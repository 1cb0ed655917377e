// Incoming lines: text that is not JSON, JSON that is not a message, odd bytes and odd chunks (security cases RPC-01 … RPC-18).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LineServer } from "../support/line-server.ts";
import { answersTo, call, note, rawSample, readySample, refusal, result, stillServes, words } from "../support/sample.ts";

const PARSE_ERROR = refusal(null, -32700);
const INVALID = refusal(null, -32600);

/** Lines → the answers to them, in order. A second server has not shaken hands yet: bad lines are bad there too. */
const TABLES: Record<string, [line: string | Uint8Array, answers: object[]][]> = {
  "RPC-01 STDIO-16 text that is not JSON": [
    ["{", [PARSE_ERROR]],
    ["abc", [PARSE_ERROR]],
    ['{"a":}', [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"', [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}}', [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}', [PARSE_ERROR]],
    ["{'jsonrpc':'2.0','id':1,'method':'ping'}", [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":01,"method":"ping"}', [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":NaN,"method":"ping"}', [PARSE_ERROR]],
    ["// a comment", [PARSE_ERROR]],
    ["Content-Length: 40", [PARSE_ERROR]],
    ["\0", [PARSE_ERROR]],
  ],
  "RPC-02 blank lines are ignored": [
    ["", []],
    [" ", []],
    ["\t \r", []],
    [" ".repeat(15), []],
    [" ".repeat(16), []],
    ["\t".repeat(1000), []],
  ],
  "RPC-03 JSON that is not an object": [
    ["1", [INVALID]],
    ['"x"', [INVALID]],
    ["null", [INVALID]],
    ["true", [INVALID]],
    ["-0.5e3", [INVALID]],
    ["{}", [INVALID]],
  ],
  "RPC-05 the version member": [
    ['{"id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":2,"id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":2.0,"id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":null,"id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":["2.0"],"id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":"2.0 ","id":1,"method":"ping"}', [INVALID]],
  ],
  "RPC-10 names are exact, and of two members with one name the last counts": [
    ['{"jsonrpc":"2.0","id":1,"Method":"ping"}', [INVALID]],
    ['{"JSONRPC":"2.0","id":1,"method":"ping"}', [INVALID]],
    ['{"jsonrpc":"2.0","ID":1,"method":"ping"}', []],
    ['{"jsonrpc":"2.0","id":1,"\\u006dethod":"ping"}', [result(1, {})]],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"nope","method":"ping"}', [result(2, {})]],
  ],
  "RPC-12 a response with both or neither of result and error": [
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', [INVALID]],
    ['{"jsonrpc":"2.0","id":1}', [INVALID]],
    ['{"jsonrpc":"2.0","id":1,"error":"text"}', [INVALID]],
    ['{"jsonrpc":"2.0","result":{}}', [INVALID]],
    // A parse error from the client is not answered with another one.
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', []],
  ],
  "RPC-17 bytes that are not UTF-8, byte order marks, UTF-16": [
    [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"p\xe9ng"}', "latin1"), [PARSE_ERROR]],
    [Buffer.from([0xff, 0xfe, 0xfd]), [PARSE_ERROR]],
    [Buffer.from([0x22, 0xc0, 0xaf, 0x22]), [PARSE_ERROR]], // overlong "/"
    [Buffer.from([0x22, 0xe0, 0x80, 0xaf, 0x22]), [PARSE_ERROR]],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), [PARSE_ERROR]], // half of a surrogate pair
    [Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]), [PARSE_ERROR]], // past U+10FFFF
    [Buffer.from([0x22, 0xe2, 0x82]), [PARSE_ERROR]], // cut off
    [Buffer.from('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}'), [PARSE_ERROR]],
    [Buffer.from("\uFEFF"), [PARSE_ERROR]],
    [Buffer.from("\u00A0"), [PARSE_ERROR]],
    [Buffer.from("\u2028"), [PARSE_ERROR]],
    [Buffer.from('\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}', "utf16le"), [PARSE_ERROR]],
    [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}', "utf16le"), [PARSE_ERROR]],
    ['{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', [result("\ud800", {})]],
  ],
};

describe.each(["after the handshake", "before the handshake"])("%s", (when) => {
  let server: LineServer;
  beforeAll(async () => {
    server = rawSample();
    if (when === "after the handshake") await server.handshake();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(Object.entries(TABLES))("%s", async (_title, rows) => {
    for (const [line, expected] of rows) {
      expect.soft(await answersTo(server, [line]), String(line)).toEqual(expected);
    }
    if (when === "after the handshake") await stillServes(server);
  });
});

test("RPC-10 ignores members with names similar to params and arguments", async () => {
  await using server = await readySample();
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","PARAMS":{"name":"echo","arguments":{"message":"x"}}}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","param\u017f":{"name":"echo","arguments":{"message":"x"}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"message":"a","message":"b"}}}',
  ];
  expect(await answersTo(server, lines)).toEqual([refusal(1, -32602), refusal(2, -32602), words(3, "b")]);
  await stillServes(server);
});

test("RPC-17 keeps the neighbours in a chunk of a line that is not UTF-8", async () => {
  await using server = await readySample();
  const good = (id: number): Buffer => Buffer.from(`${JSON.stringify(call(id, "echo", { message: "grün 🌳" }))}\n`);
  void server.write(Buffer.concat([good(1), Buffer.from([0xff, 10]), good(2), Buffer.from([0xc3, 10]), good(3)]));
  expect(await answersTo(server, [])).toEqual([words(1, "grün 🌳"), PARSE_ERROR, words(2, "grün 🌳"), PARSE_ERROR, words(3, "grün 🌳")]);
});

describe("RPC-18 chunks", () => {
  const odd = 'grün 🌳 \u2028 \u2029 \u0085 \u00a0 日本\\ " \n \r\n \t end';

  test("are joined when each has one byte, with characters split", async () => {
    await using server = await readySample();
    for (const byte of Buffer.from(`${JSON.stringify(call(1, "echo", { message: odd }))}\n`)) await server.write(Buffer.of(byte));
    expect(await server.message()).toEqual(words(1, odd));
    await stillServes(server);
  });

  test("may contain carriage returns at the end of lines and between tokens", async () => {
    await using server = await readySample();
    void server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\r\n{"jsonrpc":"2.0",\r"id":2,\r"method":\r"ping"}\r\n');
    expect(await answersTo(server, [])).toEqual([result(1, {}), result(2, {})]);
    await stillServes(server);
  });
});

test("JSON-10 answers no notification, known or not, malformed or not", async () => {
  await using server = await readySample();
  const notes = [
    note("notifications/initialized"),
    note("notifications/nope", { some: "params" }),
    note("tools/call", { name: "echo" }),
    note("ping"),
    note(""),
    { jsonrpc: "2.0", method: "notifications/cancelled", params: [] },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: null },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: "text" },
    { jsonrpc: "2.0", method: "tools/list", params: 7 },
  ];
  expect(await answersTo(server, notes)).toEqual([]);
  await stillServes(server);
});
