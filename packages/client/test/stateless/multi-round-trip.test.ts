// Multi-round-trip requests: the handlers of a session answer the input requests, and the request is sent again.
import { describe, expect, test } from "vitest";
import { defineServer, fromJsonSchema, linkMemory, prompt, resource, tool } from "@oarlock/server-kit";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import {
  InvalidResponseError,
  ConnectionClosedError,
  connect,
  RequestTimeoutError,
  type Client,
  type ConnectOptions,
} from "@oarlock/client";
import { failure } from "../support/scripted-peer.ts";
import { envelopeOf, connectStateless, NEWEST, ownOf } from "../support/stateless-peers.ts";

const form = (message: string): Json => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: { sure: { type: "boolean", default: true } } } },
});
const inputRequired = (more: Json): Json => ({ resultType: "input_required", ...more });
const DONE = { resultType: "complete", content: [] };
const everything: ConnectOptions = {
  roots: [{ uri: "file:///a" }],
  elicit: () => ({ action: "accept" }),
  elicitUrl: () => ({ action: "decline" }),
  sample: () => ({ role: "assistant", content: { type: "text", text: "hm" }, model: "m" }),
};

/** Requests that may inputRequired, with what their result must hold. */
const ASKING: [string, (client: Client) => Promise<unknown>, Json, Json][] = [
  ["tools/call", (client) => client.call("t", { a: 1 }), { name: "t", arguments: { a: 1 } }, { content: [] }],
  ["prompts/get", (client) => client.prompt("p", { a: "1" }), { name: "p", arguments: { a: "1" } }, { messages: [] }],
  ["resources/read", (client) => client.read("a://b"), { uri: "a://b" }, { contents: [] }],
];

describe.each(ASKING)("%s", (method, act, params, result) => {
  test("MRTR-08 MRTR-09 MRTR-10 MRTR-13 MRTR-24 repeats the request under a new id, with the answers by their keys and the state unchanged", async () => {
    const { peer, client } = await connectStateless(everything);
    const asked = act(client);
    // Whoever reads or rewrites it would break one of these.
    const requestState = ' {"a":1}\u0000\u2028é=?base64?eA==?= ';
    const inputRequests = {
      "a key": form("Sure?"),
      page: { method: "elicitation/create", params: { mode: "url", message: "Open?", url: "https://example.com/" } },
      model: { method: "sampling/createMessage", params: { messages: [], maxTokens: 9 } },
      folders: { method: "roots/list" },
    };
    const first = await peer.answer(method, inputRequired({ inputRequests, requestState }));
    expect(ownOf(first)).toEqual(params);
    const second = await peer.answer(method, result);
    expect(second.id).not.toBe(first.id);
    expect(envelopeOf(second)).toEqual(envelopeOf(first));
    expect(ownOf(second)).toEqual({
      ...params,
      requestState,
      inputResponses: {
        "a key": { action: "accept", content: { sure: true } },
        page: { action: "decline" },
        model: { role: "assistant", content: { type: "text", text: "hm" }, model: "m" },
        folders: { roots: [{ uri: "file:///a" }] },
      },
    });
    expect(await asked).toEqual(result);
  });

  test("MRTR-11 MRTR-12 sends only the newest state, and none if the server sent none", async () => {
    const { peer, client } = await connectStateless(everything);
    const asked = act(client);
    await peer.answer(method, inputRequired({ inputRequests: { a: form("?") }, requestState: "one" }));
    expect(ownOf(await peer.answer(method, inputRequired({ inputRequests: { b: form("?") } }))).requestState).toBe("one");
    const third = ownOf(await peer.answer(method, result));
    expect(third).not.toHaveProperty("requestState");
    expect(Object.keys(third.inputResponses as Json)).toEqual(["b"]);
    await asked;
  });

  test("MRTR-08 returns a state without responses, first immediately, then after pauses", async () => {
    const { peer, client } = await connectStateless();
    const asked = act(client);
    await peer.answer(method, inputRequired({ requestState: "" }));
    expect(ownOf(await peer.answer(method, inputRequired({ requestState: "2", inputRequests: {} })))).toEqual({
      ...params,
      requestState: "",
    });
    expect(ownOf(await peer.answer(method, result))).toEqual({ ...params, requestState: "2" });
    await asked;
  });
});

describe("MRTR-14 answers and states belong to their own request", () => {
  test("MRTR-14 are not mixed between parallel requests, and not reused", async () => {
    const { peer, client } = await connectStateless(everything);
    const names = ["a", "b", "c"];
    const calls = names.map((name) => client.call(name));
    const firsts = [await peer.next(), await peer.next(), await peer.next()];
    for (const { id, params } of firsts.toReversed())
      peer.send({
        id,
        result: inputRequired({ inputRequests: { [String((params as Json).name)]: form("?") }, requestState: (params as Json).name }),
      });
    for (const _ of names) {
      const { id, params } = await peer.next();
      const { name, inputResponses, requestState } = params as Json;
      expect([Object.keys(inputResponses as Json), requestState]).toEqual([[name], name]);
      peer.send({ id, result: DONE });
    }
    await Promise.all(calls);
    const next = client.call("a");
    expect(ownOf(await peer.answer("tools/call", DONE))).toEqual({ name: "a", arguments: {} });
    await next;
  });
});

describe("MRTR-25 a request fails without a repetition after", () => {
  test.each<[string, ConnectOptions, Json, Error]>([
    ["a handler that fails", { elicit: () => Promise.reject(new Error("no display")) }, form("?"), new Error("no display")],
    [
      "a person who refuses the model",
      { sample: () => Promise.reject(new McpError(-1, "User rejected")) },
      { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
      new McpError(-1, "User rejected"),
    ],
    ["a question that was not declared", {}, form("?"), new InvalidResponseError("Invalid or undeclared input request: Method not found")],
    [
      "an unknown input request",
      everything,
      { method: "ping" },
      new InvalidResponseError("Invalid or undeclared input request: Method not found"),
    ],
    ["a question without a method", everything, {}, new InvalidResponseError("Invalid input request: expected a method")],
    [
      "a form without a schema",
      everything,
      { method: "elicitation/create", params: { message: "?" } },
      new InvalidResponseError("Invalid or undeclared input request: expected a message and a requestedSchema"),
    ],
  ])("MRTR-25 %s", async (_, options, question, error) => {
    const { peer, client } = await connectStateless(options);
    const failed = failure(client.call("t"));
    await peer.answer("tools/call", inputRequired({ inputRequests: { a: question }, requestState: "s" }));
    expect(await failed).toEqual(error);
    expect(peer.received).toHaveLength(2);
  });

  test("MRTR-08 sends a decline as an answer", async () => {
    const { peer, client } = await connectStateless({ elicit: () => ({ action: "decline" }) });
    const asked = client.call("t");
    await peer.answer("tools/call", inputRequired({ inputRequests: { a: form("?") } }));
    expect(ownOf(await peer.answer("tools/call", DONE)).inputResponses).toEqual({ a: { action: "decline" } });
    await asked;
  });

  test("handles all input requests of a round in parallel; the first failure aborts the others", async () => {
    const stopped = Promise.withResolvers<string>();
    const { peer, client } = await connectStateless({
      elicit: ({ message }, signal) => {
        if (message === "fails") return Promise.reject(new Error("failed"));
        signal.addEventListener("abort", () => stopped.resolve((signal.reason as Error).message));
        return new Promise(() => undefined);
      },
    });
    const failed = failure(client.call("t"));
    await peer.answer("tools/call", inputRequired({ inputRequests: { a: form("waits"), b: form("fails") } }));
    expect((await failed).message).toBe("failed");
    expect(await stopped.promise).toBe("failed");
  });
});

describe("time limits and aborts", () => {
  const waiting: ConnectOptions = { elicit: () => new Promise(() => undefined) };
  const question = inputRequired({ inputRequests: { a: form("?") } });

  test("TIME-05 applies the total time limit to all rounds, also during an elicitation", async () => {
    const { peer, client } = await connectStateless(waiting);
    const failed = failure(client.call("t", {}, { maxTotalMs: 50, timeoutMs: 10_000 }));
    await peer.answer("tools/call", question);
    expect(await failed).toEqual(new RequestTimeoutError("tools/call", 50, true));
  });

  test("TIME-01 does not apply the timeout during an elicitation", async () => {
    const { peer, client } = await connectStateless({
      elicit: () => new Promise((resolve) => setTimeout(() => resolve({ action: "cancel" }), 1500)),
    });
    const asked = client.call("t", {}, { timeoutMs: 1000 });
    await peer.answer("tools/call", question);
    await peer.answer("tools/call", DONE);
    expect(await asked).toEqual({ content: [] });
  });

  test("CANCEL-16 ends the request when aborted during an elicitation, without a cancellation", async () => {
    const abort = new AbortController();
    const { peer, client } = await connectStateless({
      elicit: () => (queueMicrotask(() => abort.abort(new Error("enough"))), new Promise(() => undefined)),
    });
    const failed = failure(client.call("t", {}, { signal: abort.signal }));
    await peer.answer("tools/call", question);
    expect((await failed).message).toBe("enough");
    expect(peer.received).toHaveLength(2);
  });

  test("fails when the connection ends during an elicitation", async () => {
    const reason = Promise.withResolvers<unknown>();
    const { peer, client } = await connectStateless({
      elicit: (_, signal) => (
        signal.addEventListener("abort", () => reason.resolve(signal.reason)),
        queueMicrotask(() => peer.wire.onClose?.(new Error("gone"))),
        new Promise(() => undefined)
      ),
    });
    const failed = failure(client.call("t"));
    await peer.answer("tools/call", question);
    expect(await failed).toEqual(new ConnectionClosedError("gone"));
    expect(await reason.promise).toEqual(new ConnectionClosedError("gone"));
  });

  test("limits the number of rounds", async () => {
    const { peer, client } = await connectStateless({ ...everything, maxRounds: 3 });
    const failed = failure(client.call("t"));
    for (let round = 0; round < 4; round++) await peer.answer("tools/call", question);
    expect(await failed).toEqual(
      new InvalidResponseError("Too many round trips of tools/call: expected a complete result after at most 3"),
    );
  });
});

test("MRTR-08 answers a server of the kit with three parallel input requests, then one more, in a tool, a prompt and a resource", async () => {
  const sure = fromJsonSchema<{ sure: boolean }>({ type: "object", properties: { sure: { type: "boolean" } } }, () => undefined);
  type Asks = Parameters<NonNullable<Parameters<typeof tool>[0]["run"]>>[1];
  const sendRounds = async (ctx: Asks): Promise<string> => {
    const all = await Promise.all([
      ctx.elicit({ message: "Sure?", schema: sure }),
      ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 1 }),
      ctx.roots(),
    ]);
    return JSON.stringify([...all, await ctx.elicitUrl({ message: "Open?", url: "https://example.com/" })]);
  };
  const server = defineServer({
    name: "s",
    version: "1",
    tools: [tool({ name: "t", run: (_, ctx) => sendRounds(ctx) })],
    prompts: [prompt({ name: "p", get: (_, ctx) => sendRounds(ctx as Asks) })],
    resources: [resource({ uri: "a://b", name: "b", read: (ctx: unknown) => sendRounds(ctx as Asks) })],
  });
  const sent: Json[] = [];
  await using client = await connect(linkMemory(server), {
    revision: NEWEST,
    ...everything,
    onWire: (direction, text) => direction === "sent" && sent.push(JSON.parse(text)),
  });
  const expected = JSON.stringify([
    { action: "accept", content: {} },
    { role: "assistant", content: { type: "text", text: "hm" }, model: "m" },
    [{ uri: "file:///a" }],
    { action: "decline" },
  ]);
  expect((await client.call("t")).content).toEqual([{ type: "text", text: expected }]);
  expect((await client.prompt("p")).messages).toEqual([{ role: "user", content: { type: "text", text: expected } }]);
  expect((await client.read("a://b")).contents).toEqual([{ uri: "a://b", text: expected }]);
  expect(sent).toHaveLength(1 + 3 * 3);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
});
