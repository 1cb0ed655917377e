import { describe, expect, test } from "vitest";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import type { ConnectOptions } from "@oarlock/client";
import { connectSession, type ScriptedPeer } from "../support/scripted-peer.ts";

const result = (id: string | number, value: Json): Json => ({ jsonrpc: "2.0", id, result: value });
const refusal = (id: string | number, code: number, message: string): Json => ({ jsonrpc: "2.0", id, error: { code, message } });

describe("roots", () => {
  test("ROOTS-03 ROOTS-04: accepts a list of roots or a function that returns it", async () => {
    const roots = [{ uri: "file:///a", name: "A" }, { uri: "file:///b" }];
    const { peer } = await connectSession({ roots });
    expect(await peer.request(1, "roots/list")).toEqual(result(1, { roots }));
    const { peer: other } = await connectSession({ roots: async () => roots });
    expect(await other.request(1, "roots/list")).toEqual(result(1, { roots }));
  });

  test("ROOTS-05: announces changed roots and returns them from then on", async () => {
    const { peer, client } = await connectSession({ roots: [] });
    client.setRoots([{ uri: "file:///new" }]);
    expect(await peer.next()).toEqual({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    expect(await peer.request(1, "roots/list")).toEqual(result(1, { roots: [{ uri: "file:///new" }] }));
    expect(() => client.setRoots([{ uri: "/new" }])).toThrow("Invalid root: expected a file:// URI, received /new");
  });

  test("ROOTS-06: -32601 without roots, -32603 after an exception, without its message", async () => {
    const { peer, client } = await connectSession();
    expect(await peer.request(1, "roots/list")).toEqual(refusal(1, -32601, "Method not found"));
    expect(() => client.setRoots([])).toThrow(TypeError);
    const faults: string[] = [];
    const { peer: broken } = await connectSession({
      roots: () => Promise.reject(new Error("disk on fire")),
      onFault: (what) => faults.push(what),
    });
    expect(await broken.request(1, "roots/list")).toEqual(refusal(1, -32603, "Internal error"));
    expect(faults).toEqual(["The client's handler of roots/list failed: disk on fire"]);
  });
});

describe("sampling", () => {
  const sampled = { role: "assistant", content: { type: "text", text: "Hello." }, model: "m-1", stopReason: "odd" } as const;
  const request = { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 10 };
  const use = { type: "tool_use", id: "u1", name: "t", input: {}, _meta: { "com.example/k": 1 } };
  const used = { type: "tool_result", toolUseId: "u1", content: [] };

  test("SAMP-06 SAMP-07: passes the request and the answer unchanged", async () => {
    const asked: unknown[] = [];
    const { peer } = await connectSession({ sample: (params) => (asked.push(params), sampled) });
    const whole = { ...request, systemPrompt: "Be brief.", temperature: 0.5 };
    expect(await peer.request(1, "sampling/createMessage", whole)).toEqual(result(1, sampled));
    expect(asked).toEqual([whole]);
  });

  test("SAMP-18: lets the handler choose the error of a refusal", async () => {
    const { peer } = await connectSession({
      sample() {
        throw new McpError(-1, "User rejected sampling request");
      },
    });
    expect(await peer.request(1, "sampling/createMessage", request)).toEqual(refusal(1, -1, "User rejected sampling request"));
  });

  test("ERR-03: refuses the method without a handler", async () => {
    const { peer } = await connectSession();
    expect(await peer.request(1, "sampling/createMessage", request)).toEqual(refusal(1, -32601, "Method not found"));
  });

  const noTools = refusal(1, -32602, "tools: this client did not declare sampling.tools");
  test.each<[string, Json, ConnectOptions]>([
    ["tools", { tools: [] }, {}],
    ["toolChoice", { toolChoice: { mode: "auto" } }, {}],
    ["tools, in a revision without", { tools: [] }, { revision: "2025-06-18", sampleTools: true }],
  ])("SAMP-14: refuses %s without the capability", async (_, more, options) => {
    const { peer } = await connectSession({ ...options, sample: () => sampled });
    expect(await peer.request(1, "sampling/createMessage", { ...request, ...more })).toEqual(noTools);
  });

  test.each<[string, unknown, string]>([
    [
      "SAMP-15: text beside a result",
      [
        { role: "assistant", content: use },
        { role: "user", content: [used, { type: "text", text: "" }] },
      ],
      "messages: tool results must be the only blocks of a user message",
    ],
    [
      "SAMP-15: a result of the assistant",
      [{ role: "assistant", content: used }],
      "messages: tool results must be the only blocks of a user message",
    ],
    ["SAMP-16 SAMP-17: a use without a result", [{ role: "assistant", content: [use] }], "messages: a tool use has no result"],
    [
      "SAMP-16: another message in between",
      [
        { role: "assistant", content: use },
        { role: "user", content: { type: "text", text: "" } },
        { role: "user", content: used },
      ],
      "messages: expected the result of each tool use in the next message",
    ],
    [
      "SAMP-16: one result too few",
      [
        { role: "assistant", content: [use, { ...use, id: "u2" }] },
        { role: "user", content: [used] },
      ],
      "messages: expected the result of each tool use in the next message",
    ],
    ["ERR-04: no list", "Hi", "messages: expected a list"],
    ["ERR-04: no objects", ["Hi"], "messages: expected objects"],
  ])("refuses %s with -32602", async (_, messages, message) => {
    const { peer } = await connectSession({ sample: () => sampled, sampleTools: true });
    expect(await peer.request(1, "sampling/createMessage", { messages, maxTokens: 1 })).toEqual(refusal(1, -32602, message));
  });

  test("SAMP-09 SAMP-25: passes lists of blocks and valid tool results to the model", async () => {
    const messages = [
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "wait" }, use] },
      { role: "user", content: [used] },
    ];
    const asked: unknown[] = [];
    const answer = { ...sampled, role: "assistant" as const, content: [use] };
    const { peer } = await connectSession({ sample: (params) => (asked.push(params), answer), sampleTools: true });
    const params = { messages, maxTokens: 5, tools: [], toolChoice: { mode: "auto" } };
    expect(await peer.request(1, "sampling/createMessage", params)).toEqual(result(1, answer));
    expect(asked).toEqual([params]);
  });

  test.each([
    ["2025-06-18", { ...sampled, content: [sampled.content] }, "content: expected one block"],
    ["2025-11-25", { ...sampled, content: "Hello." }, "content: expected a block or a list of blocks"],
    ["2025-11-25", { ...sampled, role: "system" }, "role: expected assistant or user"],
    ["2025-11-25", { role: "assistant", content: sampled.content }, "model: expected a string"],
  ])("SAMP-07 SAMP-08: refuses a sampling result that is invalid in %s", async (revision, answer, why) => {
    const { peer } = await connectSession({ revision, sample: () => answer as never });
    expect(await peer.request(1, "sampling/createMessage", request)).toEqual(refusal(1, -32603, `Invalid sampling result: ${why}`));
  });

  test("ERR-04: requires maxTokens", async () => {
    const { peer } = await connectSession({ sample: () => sampled });
    expect(await peer.request(1, "sampling/createMessage", { messages: [] })).toEqual(refusal(1, -32602, "maxTokens: expected a number"));
  });
});

describe("elicitation", () => {
  const requestedSchema = {
    type: "object",
    properties: { name: { type: "string" }, sure: { type: "boolean", default: true } },
    required: ["name"],
  };
  const form = { message: "Who?", requestedSchema };
  const page = { mode: "url", message: "Sign in", url: "https://example.com/", elicitationId: "e1" };
  const sendElicitation = (peer: ScriptedPeer, params: Json): Promise<Json> => peer.request(1, "elicitation/create", params);

  test.each(["2025-06-18", "2025-11-25"])(
    "ELIC-07 ELIC-12 ELIC-17: accepts a form without mode and fills in defaults — %s",
    async (revision) => {
      const asked: unknown[] = [];
      const elicit: ConnectOptions["elicit"] = (question) => (asked.push(question), { action: "accept", content: { name: "Ada" } });
      const { peer } = await connectSession({ revision, elicit });
      expect(await sendElicitation(peer, form)).toEqual(result(1, { action: "accept", content: { sure: true, name: "Ada" } }));
      expect(asked).toEqual([{ ...form, defaults: { sure: true } }]);
    },
  );

  test("ELIC-07: treats mode form like no mode", async () => {
    const { peer } = await connectSession({ elicit: ({ message }) => ({ action: "accept", content: { name: message, sure: false } }) });
    expect(await sendElicitation(peer, { ...form, mode: "form" })).toEqual(
      result(1, { action: "accept", content: { name: "Who?", sure: false } }),
    );
  });

  test.each(["decline", "cancel"] as const)("ELIC-16 ELIC-17: sends no content on %s", async (action) => {
    const { peer } = await connectSession({ elicit: () => ({ action, content: { name: "left over" } }) });
    expect(await sendElicitation(peer, form)).toEqual(result(1, { action }));
  });

  test("ELIC-16: refuses any other action", async () => {
    const { peer } = await connectSession({ elicit: () => ({ action: "maybe" }) as never });
    expect(await sendElicitation(peer, form)).toEqual(refusal(1, -32603, "Invalid action: expected accept, decline or cancel"));
  });

  test("ELIC-41: refuses content that violates the schema", async () => {
    const { peer } = await connectSession({ elicit: () => ({ action: "accept", content: { sure: "yes" } }) });
    expect(await sendElicitation(peer, form)).toEqual(refusal(1, -32603, "Invalid form content: name: required, and missing"));
  });

  test("ELIC-17: answers a URL elicitation without content", async () => {
    const asked: unknown[] = [];
    const { peer } = await connectSession({
      elicitUrl: (question) => (asked.push(question), { action: "accept", content: { secret: 1 } }),
    });
    expect(await sendElicitation(peer, page)).toEqual(result(1, { action: "accept" }));
    expect(asked).toEqual([{ message: "Sign in", url: "https://example.com/", elicitationId: "e1" }]);
  });

  test.each<[string, Json, ConnectOptions]>([
    ["ELIC-04: a page, to a client of forms", page, { elicit: () => ({ action: "cancel" }) }],
    ["ELIC-36: a form, to a client of pages", form, { elicitUrl: () => ({ action: "cancel" }) }],
    ["ELIC-36: an unknown mode", { ...form, mode: "telepathy" }, { elicit: () => ({ action: "cancel" }) }],
    [
      "LIFE-15: a URL, in a revision without URL elicitation",
      page,
      { revision: "2025-06-18", elicit: () => ({ action: "cancel" }), elicitUrl: () => ({ action: "accept" }) },
    ],
    ["ERR-04: no message", { requestedSchema }, { elicit: () => ({ action: "cancel" }) }],
    ["ERR-04: no url", { mode: "url", message: "?" }, { elicitUrl: () => ({ action: "cancel" }) }],
  ])("refuses %s with -32602", async (_, params, options) => {
    const { peer } = await connectSession(options);
    expect(await sendElicitation(peer, params)).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test.each([
    ["2025-11-25", {}],
    ["2025-06-18", { elicitUrl: () => ({ action: "accept" as const }) }],
    ["2025-03-26", { elicit: () => ({ action: "cancel" as const }) }],
  ])("ERR-03: refuses the method without a declaration — %s", async (revision, options) => {
    const { peer } = await connectSession({ revision, ...options });
    expect(await sendElicitation(peer, form)).toEqual(refusal(1, -32601, "Method not found"));
  });

  test("ELIC-34: ignores the completion of an unknown URL elicitation", async () => {
    const { peer } = await connectSession({ elicitUrl: () => ({ action: "accept" }) });
    peer.send({ method: "notifications/elicitation/complete", params: { elicitationId: "unknown" } });
    expect(await peer.request(2, "ping")).toEqual(result(2, {}));
  });

  test("CANCEL-03 CANCEL-08: aborts a cancelled request with its reason and sends no response", async () => {
    const stopped = Promise.withResolvers<unknown>();
    const { peer } = await connectSession({
      elicit: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => (stopped.resolve(signal.reason), resolve({ action: "decline" })));
        }),
    });
    peer.send({ id: "q", method: "elicitation/create", params: form });
    await Promise.resolve();
    peer.send({ method: "notifications/cancelled", params: { requestId: "q", reason: "no longer needed" } });
    expect(await stopped.promise).toEqual(new Error("no longer needed"));
    expect(await peer.request(2, "ping")).toEqual(result(2, {}));
    expect(peer.received.some(({ id }) => id === "q")).toBe(false);
  });

  test.each([{}, { requestId: null }, { requestId: "unknown" }, { requestId: { id: "q" } }])(
    "CANCEL-04 CANCEL-07: ignores a cancellation of %j",
    async (params) => {
      const answered = Promise.withResolvers<void>();
      const { peer } = await connectSession({ elicit: () => answered.promise.then(() => ({ action: "decline" })) });
      peer.send({ id: "q", method: "elicitation/create", params: form });
      peer.send({ method: "notifications/cancelled", params });
      answered.resolve();
      expect(await peer.next()).toEqual(result("q", { action: "decline" }));
    },
  );

  test("JSON-15: leaves a cancelled request out of the response batch — 2025-03-26", async () => {
    const sample: ConnectOptions["sample"] = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    const { peer } = await connectSession({ revision: "2025-03-26", sample });
    const question = { jsonrpc: "2.0", id: "q", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
    peer.send(JSON.stringify([{ jsonrpc: "2.0", id: "p", method: "ping" }, question]));
    await Promise.resolve();
    peer.send({ method: "notifications/cancelled", params: { requestId: "q" } });
    expect(await peer.next()).toEqual([result("p", {})]);
  });
});
