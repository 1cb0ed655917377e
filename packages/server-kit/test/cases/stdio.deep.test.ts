// The stdio transport in a process of its own: what stdout carries, what stderr takes, and how the streams of both eras end.
import { describe, expect, test } from "vitest";
import type { RawProcess } from "../../../testing/src/process/raw-process.ts";
import type { Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { answersTo, call, eventually, request, result, stillServes, words } from "../support/sample.ts";
import { readyProcess, sampleProcess } from "../support/sample-process.ts";
import { asks, SERVER_INFO, SUBSCRIPTION_ID } from "../support/stateless-message.ts";
import { Talk } from "../support/talk.ts";

test("RPC-18 JSON-02 STDIO-02 answers a thousand messages in one write, each on one line of UTF-8", async () => {
  const odd = 'grün 🌳 \u2028 \u2029 \u0085 \u00a0 日本\\ " \n \r\n \t end';
  await using server = await readyProcess();
  const messages = Array.from({ length: 1000 }, (_, at) => `${odd} ${at}`);
  void server.write(messages.map((message, at) => `${JSON.stringify(call(at, "echo", { message }))}\n`).join(""));
  for (const [at, message] of messages.entries()) expect(await server.message()).toEqual(words(at, message));
  await stillServes(server);
});

test("STDIO-01 STDIO-03 JSON-01 writes only messages to stdout, from start to end", async () => {
  await using server = sampleProcess();
  const lines: string[] = [];
  const keep = async (): Promise<void> => void lines.push(await server.line());
  await server.handshake();
  void server.send(call(1, "print", { how: "console" }));
  void server.send("nonsense");
  void server.send(call(2, "throws", { what: "error" }));
  for (let count = 0; count < 3; count++) await keep();
  server.end();
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  await expect(server.line()).rejects.toThrow("closed its output");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

test("STDIO-05 keeps the session undisturbed by output to stderr", async () => {
  await using server = await readyProcess();
  expect(await server.request(request(1, "resources/subscribe", { uri: "sample://text" }))).toEqual(result(1, {}));
  await eventually(() => server.stderr).toContain("watching sample://text");
  await stillServes(server);
});

test("TRANS-01 sends the same messages in memory and over stdio for the same conversation", async () => {
  const conversation: Json[] = [
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: "three", method: "tools/list" },
    { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "echo", arguments: { message: "x" } } },
    { jsonrpc: "2.0", id: 5, method: "nope" },
    { jsonrpc: "2.0", id: 6, method: "tools/call", params: { name: "log", arguments: { data: 1 } } },
    { jsonrpc: "2.0", id: 7, method: "ping" },
  ];
  await using client = new Talk(sampleServer());
  await using server = sampleProcess();
  for (const message of conversation) {
    client.send(message);
    void server.send(message);
  }
  await client.answer(7);
  for (const message of client.received) expect(await server.message()).toEqual(message);
  expect(server.unread).toEqual([]);
});

const TEXT = "sample://text";

describe("SUB-14 SUB-15 CANCEL-12 the end of the server", () => {
  const last = (id: unknown): Json[] => [
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: expect.any(String) } },
    {
      jsonrpc: "2.0",
      id,
      result: { resultType: "complete", _meta: { [SUBSCRIPTION_ID]: id, [SERVER_INFO]: expect.objectContaining({ name: "sample" }) } },
    },
  ];

  const listen = (id: unknown, notifications: Json): Json => asks("subscriptions/listen", { notifications }, { id });

  const stopped = { id: "call", result: { isError: true, content: [{ text: expect.stringContaining("server stopped") as string }] } };

  // After the end of input no client waits for the call.
  test.each<[how: string, end: (server: RawProcess) => void, calls: Json[]]>([
    ["the end of input", (server) => server.end(), []],
    ["SIGTERM", (server) => server.kill("SIGTERM"), [stopped]],
  ])("%s: sends every subscription its end and its result, and nothing else but to calls", async (_how, end, calls) => {
    await using server = sampleProcess({ graceMs: 200 });
    void server.send(asks("tools/call", { name: "slow" }, { id: "call" }));
    const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [TEXT] };
    expect(await answersTo(server, [listen(1, all), listen("two", {})])).toHaveLength(2);
    end(server);
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    const came = server.unread.map((line) => JSON.parse(line) as Json);
    expect(came.slice(0, 4)).toEqual([...last(1), ...last("two")]);
    expect(came.slice(4)).toMatchObject(calls);
    expect(server.stderr).toContain(`stopped watching ${TEXT}`);
  });
});
