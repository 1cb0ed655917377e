// Tool arguments that are repeated in headers, as their schemas mark them, and tools with invalid marks.
import { describe, expect, test } from "vitest";
import { defineServer, fromJsonSchema, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import type { Json } from "@oarlock/server-kit/protocol";
import { connect, type Client, type ConnectOptions } from "@oarlock/client";
import type { Act, ScriptedHttpServer } from "../support/scripted-http-server.ts";
import { failure } from "../support/scripted-peer.ts";
import { decoded } from "../support/header-value.ts";
import { give, connectStateless, NEWEST, serveStateless, refuse } from "../support/stateless-peers.ts";

const pinned: ConnectOptions = { revision: NEWEST };

const marked = (properties: Json): Json => ({ name: "t", inputSchema: { type: "object", properties } });
const REGION = { type: "string", "x-mcp-header": "Region" };

/** Lists these tools, and keeps what was called with which headers. */
async function listing(
  tools: Json[] | (() => Json[]),
  options: ConnectOptions = {},
  act: Act = () => false,
): Promise<{ server: ScriptedHttpServer; client: Client; headersOf(args: Json, name?: string): Promise<Json> }> {
  const server = await serveStateless(async (seen, response) => {
    if ((await act(seen, response)) !== false) return;
    if (seen.message.method !== "tools/list") return false;
    give(seen, response, { tools: typeof tools === "function" ? tools() : tools });
  });
  const client = await connect(server, { ...pinned, ...options });
  return {
    server,
    client,
    async headersOf(args, name = "t") {
      await client.call(name, args);
      return Object.fromEntries(
        Object.entries(server.of("tools/call").at(-1)!.headers).filter(([header]) => header.startsWith("mcp-param-")),
      );
    },
  };
}

describe("marked arguments", () => {
  test.each<[string, string, unknown, string]>([
    ["HDR-13 as it is", "string", "us-west1", "us-west1"],
    ["HDR-13 blanks inside", "string", "us west 1", "us west 1"],
    ["HDR-13 empty", "string", "", ""],
    ["HDR-13 a whole number", "integer", 42, "42"],
    ["HDR-13 a negative one", "integer", -7, "-7"],
    ["HDR-13 HDR-23 the largest", "integer", Number.MAX_SAFE_INTEGER, "9007199254740991"],
    ["HDR-13 HDR-23 the smallest", "integer", Number.MIN_SAFE_INTEGER, "-9007199254740991"],
    ["HDR-13 true", "boolean", true, "true"],
    ["HDR-13 false", "boolean", false, "false"],
    ["HDR-08 not ASCII", "string", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    ["HDR-08 a blank at the start", "string", " x", "=?base64?IHg=?="],
    ["HDR-08 a blank at the end", "string", "x ", "=?base64?eCA=?="],
    ["HDR-08 a tab", "string", "\tx", "=?base64?CXg=?="],
    ["HDR-08 lines", "string", "a\r\nb: c", "=?base64?YQ0KYjogYw==?="],
    ["HDR-08 NUL", "string", "a\u0000", "=?base64?YQA=?="],
    ["HDR-09 what looks encoded", "string", "=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
    ["HDR-09 even if it is not well-formed", "string", "=?base64?!?=", "=?base64?PT9iYXNlNjQ/IT89?="],
    ["HDR-10 another spelling is literal text", "string", "=?BASE64?eA==?=", "=?BASE64?eA==?="],
    ["HDR-10 as is half of it", "string", "=?base64?eA==", "=?base64?eA=="],
  ])("%s", async (_, type, value, header) => {
    const { server, client, headersOf } = await listing([marked({ a: { type, "x-mcp-header": "A-1" }, b: { type: "string" } })]);
    await client.tools().all();
    expect(await headersOf({ a: value, b: "not marked" })).toEqual({ "mcp-param-a-1": header });
    expect(decoded(header)).toBe(String(value));
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-12 HDR-14 repeats nested ones, but no null, absent or unmarked values", async () => {
    const { server, client, headersOf } = await listing([
      marked({
        a: REGION,
        o: { type: "object", properties: { in: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "N" } } } } },
      }),
    ]);
    await client.tools().all();
    expect(await headersOf({ a: "x", o: { in: { n: 1 } } })).toEqual({ "mcp-param-region": "x", "mcp-param-n": "1" });
    expect(await headersOf({ a: null, o: { in: null } })).toEqual({});
    expect(await headersOf({ o: [] })).toEqual({});
    expect(await headersOf({ a: { toString: "x" }, o: { in: { n: [1] } } })).toEqual({});
    expect(await headersOf(JSON.parse('{"__proto__":{"a":"x"}}'))).toEqual({});
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-23 refuses a number that would change in a header, and sends nothing", async () => {
    const { server, client } = await listing([marked({ a: { type: "integer", "x-mcp-header": "A" } })]);
    await client.tools().all();
    const before = server.seen.length;
    for (const a of [2 ** 53, -(2 ** 53), 1e300]) await expect(client.call("t", { a })).rejects.toThrow(RangeError);
    expect(server.seen).toHaveLength(before);
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-08 HDR-12 sends any value so that a server of the kit accepts it", async () => {
    const input = fromJsonSchema<Json>(
      { type: "object", properties: { a: { ...REGION }, n: { type: "integer", "x-mcp-header": "N" } } },
      () => undefined,
    );
    const server = defineServer({ name: "s", version: "1", tools: [tool({ name: "t", input, run: (args) => JSON.stringify(args) })] });
    const { url, stop } = await serveHttp(server, { port: 0 });
    const client = await connect({ url }, pinned);
    await client.tools().all();
    for (const a of ["", " ", "é", "\u{1f600}\u2028", "=?base64?eA==?=", "\ufeffx", "x".repeat(2000), "a\nb", null]) {
      const received = a === null ? { n: -3 } : { a, n: -3 }; // null counts as absent
      expect((await client.call("t", { a, n: -3 })).content).toEqual([{ type: "text", text: JSON.stringify(received) }]);
    }
    await client.close();
    await stop();
  });
});

describe("tools with invalid marks", () => {
  const faulty: [string, Json][] = [
    ["empty", { a: { type: "string", "x-mcp-header": "" } }],
    ["no text", { a: { type: "string", "x-mcp-header": 7 } }],
    ["a blank", { a: { type: "string", "x-mcp-header": "My Region" } }],
    ["a colon", { a: { type: "string", "x-mcp-header": "A:B" } }],
    ["not ASCII", { a: { type: "string", "x-mcp-header": "Région" } }],
    ["a line", { a: { type: "string", "x-mcp-header": "A\r\nB" } }],
    ["on a number", { a: { type: "number", "x-mcp-header": "A" } }],
    ["on an object", { a: { type: "object", "x-mcp-header": "A" } }],
    ["on a list", { a: { type: "array", "x-mcp-header": "A" } }],
    ["on null", { a: { type: "null", "x-mcp-header": "A" } }],
    ["on no type", { a: { "x-mcp-header": "A" } }],
    ["twice", { a: REGION, b: REGION }],
    ["twice but for case", { a: REGION, b: { type: "string", "x-mcp-header": "rEGION" } }],
    ["below a list", { a: { type: "array", items: REGION } }],
    ["in a choice", { a: { anyOf: [REGION] } }],
  ];

  test.each(faulty)("HDR-24 HDR-25 %s: reports and removes the tool, and keeps the others", async (_, properties) => {
    const faults: string[] = [];
    const { server, client } = await listing(
      [{ ...marked(properties), name: "bad" }, marked({ a: REGION, d: { type: "string", default: { "x-mcp-header": "" } } })],
      { onFault: (what) => faults.push(what) },
    );
    for (let time = 0; time < 2; time++) expect((await client.tools().all()).map(({ name }) => name)).toEqual(["t"]);
    expect(faults).toEqual([expect.stringMatching(/^Tool bad ignored: ./)]);
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-26 keeps them on a pipe, which has no headers", async () => {
    const { peer, client } = await connectStateless();
    const listed = client.tools().all();
    const odd = { name: "t", inputSchema: { type: "object", properties: { a: { "x-mcp-header": "" } } } };
    await peer.answer("tools/list", { tools: [odd] });
    expect(await listed).toEqual([odd]);
  });
});

describe("HDR-27 a server that requires a missing header", () => {
  const missing: Act = (seen, response) =>
    seen.message.method === "tools/call" && !("mcp-param-region" in seen.headers) ? refuse(seen, response, -32_020) : false;

  test("HDR-27 reads the list again and repeats the call under a new id with the new headers", async () => {
    let tools = [marked({ a: { type: "string" } })];
    const { server, client, headersOf } = await listing(() => tools, {}, missing);
    await client.tools().all();
    tools = [marked({ a: REGION })];
    expect(await headersOf({ a: "x" })).toEqual({ "mcp-param-region": "x" });
    expect(server.seen.slice(2).map(({ message }) => message.method)).toEqual(["tools/call", "tools/list", "tools/call"]);
    expect(new Set(server.seen.map(({ message }) => message.id)).size).toBe(server.seen.length);
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-27 accepts calls without a list of tools before", async () => {
    const { server, client, headersOf } = await listing([marked({ a: REGION })], {}, missing);
    expect(await headersOf({ a: "x" })).toEqual({ "mcp-param-region": "x" });
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  test("HDR-27 repeats the call only once", async () => {
    const { server, client } = await listing([marked({})], {}, missing);
    expect(await failure(client.call("t"))).toMatchObject({ code: -32_020 });
    expect(server.of("tools/call")).toHaveLength(2);
    await client.close();
    await server[Symbol.asyncDispose]();
  });
});
