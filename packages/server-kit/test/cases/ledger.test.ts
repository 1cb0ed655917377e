// Requirements that belong to no single feature, and those that are shown by what does not happen.
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { defineServer, resource, template, tool } from "../../src/index.ts";
import { note, STATEFUL } from "../support/sample.ts";
import { talk, type AnswerQuestion } from "../support/talk.ts";

/** Keys that the specification reserves without defining them. */
const RESERVED: Json = {
  "io.modelcontextprotocol/unheard-of": { deep: ["x"] },
  "modelcontextprotocol.io/other": null,
  "mcp.dev/third": "__proto__",
  "tools.mcp.com/": 1e300,
};

describe.each(STATEFUL)("in %s", (revision) => {
  test("META-01 META-18 ignores reserved keys without a definition, whatever they hold", async () => {
    await using client = await talk(sampleServer(), { revision });
    const asks: [method: string, params: Json][] = [
      ["tools/call", { name: "echo", arguments: { message: "hello" } }],
      ["tools/list", {}],
      ["resources/read", { uri: "sample://text" }],
      ["prompts/get", { name: "greet", arguments: { name: "Ada" } }],
      ["ping", {}],
      ["tools/call", { name: "nope" }],
    ];
    for (const [method, params] of asks) {
      const plain = await client.request(method, params);
      const laden = await client.request(method, { ...params, _meta: RESERVED });
      expect.soft({ ...laden, id: 0 }, method).toEqual({ ...plain, id: 0 });
    }
    client.send(note("notifications/unheard/of", { _meta: RESERVED }));
    await client.settled();
  });

  test("JSON-12 writes an error in one short line, or a line for each of ten argument faults", async () => {
    await using client = await talk(sampleServer(), { revision });
    const asks: [method: string, params?: unknown][] = [
      ["no/such/method"],
      ["tools/call"],
      ["tools/call", { name: 7 }],
      ["tools/call", { name: "x".repeat(5000) }],
      ["tools/call", { name: "echo", arguments: [] }],
      ["tools/list", { cursor: "x".repeat(5000) }],
      ["tools/call", []],
      ["resources/read", { uri: "x".repeat(9000) }],
      ["resources/read", { uri: `sample://${"x".repeat(5000)}` }],
      ["resources/subscribe", { uri: "sample://nothing" }],
      ["prompts/get", { name: "x".repeat(5000) }],
      ["completion/complete", { ref: { type: "ref/none" }, argument: {} }],
      ["logging/setLevel", { level: "x".repeat(5000) }],
      ["initialize", {}],
      ["tools/call", { name: "throws", arguments: { what: "mcp" } }],
    ];
    for (const [method, params] of asks) {
      const { error } = (await client.request(method, params as Json)) as { error?: { message: string } };
      expect.soft(error?.message, `${method} ${JSON.stringify(params)?.slice(0, 60)}`).toMatch(/^.{3,200}$/);
    }
    const wrong = { name: "sum", arguments: { a: "x".repeat(5000), b: null, mode: "z" } };
    const { error, result } = (await client.request("tools/call", wrong)) as {
      error?: { message: string };
      result?: { content: [{ text: string }] };
    };
    const lines = (error?.message ?? result?.content[0].text ?? "").split("\n");
    expect(lines.length).toBe(4);
    for (const line of lines) expect(line).toMatch(/^.{3,320}$/);
  });
});

test.each(["tasks", "extensions"])(
  "TASK-03 TASK-64 runs plain calls for a 2025-11-25 client that declares %s, and has no task methods",
  async (key) => {
    const declared =
      key === "tasks" ? { tasks: { requests: { tools: { call: {} } } } } : { extensions: { "io.modelcontextprotocol/tasks": {} } };
    await using client = await talk(sampleServer(), { revision: "2025-11-25", capabilities: declared });
    expect(Object.keys((client.greeting as { capabilities: Json }).capabilities)).not.toContain("tasks");
    expect(Object.keys((client.greeting as { capabilities: Json }).capabilities)).not.toContain("extensions");
    expect(await client.result("tools/call", { name: "echo", arguments: { message: "x" }, task: { ttl: 1000 } })).toEqual({
      content: [{ type: "text", text: "x" }],
    });
    for (const method of ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"]) {
      expect.soft(await client.error(method, { taskId: "1" }), method).toMatchObject({ code: -32601 });
    }
  },
);

describe("SAMP-29 leaves the content of sampling out of its own log", () => {
  const SECRET = "canary-7f3a";
  const replyText: [how: string, answer: AnswerQuestion][] = [
    ["answered", () => ({ role: "assistant", content: { type: "text", text: SECRET }, model: SECRET })],
    ["refused", () => new Error(SECRET)],
    ["answered wrongly", () => ({ role: SECRET, content: SECRET })],
  ];
  test.each(replyText)("%s", async (_how, answer) => {
    const logged: string[] = [];
    await using client = await talk(sampleServer(), {
      capabilities: { sampling: {} },
      answers: { "sampling/createMessage": answer },
      log: (level, data) => void logged.push(`${level} ${String(data)}`),
    });
    await client.call("sample", { extra: { systemPrompt: SECRET, metadata: { key: SECRET } } });
    expect(JSON.stringify(client.heard("sampling/createMessage"))).toContain(SECRET);
    // The log is a live one: what a handler writes into it arrives.
    await client.call("log", { data: "something else" });
    expect(logged.join("\n")).toContain("something else");
    expect(logged.join("\n")).not.toContain(SECRET);
  });
});

test("RES-20 requires the scheme of RFC 3986 in a URI", () => {
  const both = (uri: string): (() => unknown)[] => [
    () => resource({ uri, name: "r", read: () => "" }),
    () => template({ uri: `${uri}{x}`, name: "r", read: () => "" }),
  ];
  for (const uri of ["", "plain", "/path", "1a://b", "a b://c", "a_b://c", "://b", "\u00e9://b", "-a://b", "a://b c", "a://b\n"])
    for (const define of both(uri)) expect.soft(define, JSON.stringify(uri)).toThrow("has no scheme");
  for (const uri of ["a://b", "A+b-9.c:d", "memo://", "file:///x"]) for (const define of both(uri)) expect.soft(define, uri).not.toThrow();
});

test("TIME-01 TIME-02 TIME-03 TIME-05 cancels an unanswered client request at its time limit, whatever the client sends meanwhile", async () => {
  await using client = await talk(sampleServer({ limits: { clientRequestMs: 200 } }), { capabilities: { sampling: {} } });
  const before = performance.now();
  const asked = client.begin("tools/call", { name: "sample", arguments: {} });
  const { id } = await client.until(({ method }) => method === "sampling/createMessage");
  const chatter = setInterval(() => client.note("notifications/progress", { progressToken: id, progress: performance.now() }), 20);
  try {
    const { params } = await client.until(({ method }) => method === "notifications/cancelled");
    expect(params).toMatchObject({ requestId: id });
    expect(await client.answer(asked)).toMatchObject({ result: { isError: true } });
  } finally {
    clearInterval(chatter);
  }
  expect(performance.now() - before).toBeGreaterThan(190);
  client.send({ jsonrpc: "2.0", id, result: { role: "assistant", content: { type: "text", text: "late" }, model: "m" } });
  await client.settled();
});

test("SAMP-24 ends a tool that samples endlessly", async () => {
  let answered = 0;
  const loop = tool({
    name: "loop",
    async run(_input, ctx) {
      for (;;) await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "And then?" } }], maxTokens: 1 });
    },
  });
  await using client = await talk(defineServer({ name: "x", version: "1", tools: [loop], limits: { clientRequests: 20 } }), {
    capabilities: { sampling: {} },
    answers: { "sampling/createMessage": () => (answered++, { role: "assistant", content: { type: "text", text: "Go on." }, model: "m" }) },
  });
  expect(await client.failure("loop")).toContain("20");
  expect(answered).toBe(20);
  expect(await client.failure("loop")).toContain("20");
  expect(answered).toBe(40);
});
