// Requests with input requests: what a round sends and accepts, and what abandoned rounds leave behind.
import { afterEach, describe, expect, test, vi } from "vitest";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { defineServer, tool, type InteractiveContext } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { accept, askedBy, CALL, first, nameOf, who, words } from "../support/asking.ts";
import type { ModernTalk } from "../support/modern-talk.ts";
import { asks, CAPABILITIES, SERVER_INFO } from "../support/stateless-message.ts";
import { ABLE } from "../support/talk.ts";

const open: ModernTalk[] = [];
const talk = (...given: Parameters<typeof askedBy>): ModernTalk => {
  const client = askedBy(...given);
  open.push(client);
  return client;
};

afterEach(async () => {
  for (const client of open.splice(0)) await client[Symbol.asyncDispose]();
});

describe("the input requests of a round", () => {
  test("MRTR-02 MRTR-03 MRTR-04 MRTR-07 CACHE-04 META-14 have type, requests, state and server, and nothing else", async () => {
    const client = talk(async (ctx) => nameOf(await ctx.elicit(who)));
    const requestedSchema = { type: "object", properties: { name: { type: "string", minLength: 2 } }, required: ["name"] };
    const form = {
      resultType: "input_required",
      inputRequests: { "elicit-1": { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema } } },
      requestState: expect.stringMatching(/^[\w-]{40,}$/),
      _meta: { [SERVER_INFO]: { name: "asks", version: "1" } },
    };
    expect(await first(client)).toEqual(form);
    expect(await client.result("prompts/get", { name: "one" })).toEqual(form);
    expect(await client.result("resources/read", { uri: "a:one" })).toEqual(form);
  });

  test("MRTR-04 MRTR-05 have a key of their own for each kind; keys of authors stay", async () => {
    const client = talk((ctx) =>
      Promise.all([
        ctx.elicit(who),
        ctx.elicit({ ...who, key: "twin" }),
        ctx.elicit(who),
        ctx.elicitUrl({ message: "Log in", url: "https://a.example/" }),
        ctx.sample({ messages: [], maxTokens: 1 }),
        ctx.sample({ messages: [], maxTokens: 1, key: "thought" }),
        ctx.roots(),
        ctx.roots(),
      ]),
    );
    const { inputRequests } = await first(client);
    expect(Object.entries(inputRequests as Record<string, Json>).map(([key, { method }]) => [key, method])).toEqual([
      ["elicit-1", "elicitation/create"],
      ["twin", "elicitation/create"],
      ["elicit-2", "elicitation/create"],
      ["elicit-3", "elicitation/create"],
      ["sample-1", "sampling/createMessage"],
      ["thought", "sampling/createMessage"],
      ["roots", "roots/list"],
    ]);
    for (const question of Object.values(inputRequests as Record<string, Json>)) {
      expect(["method", "method,params"]).toContain(Object.keys(question).join());
    }
  });

  test("MRTR-06 include only declared features, and refuse others before they are sent", async () => {
    const client = talk((ctx) => ctx.elicitUrl({ message: "Log in", url: "https://a.example/" }), { elicitation: { form: {} } });
    expect(await client.error("tools/call", CALL)).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    const both = talk((ctx) => Promise.all([ctx.elicit(who), ctx.sample({ messages: [], maxTokens: 1 })]), { elicitation: {} });
    const { inputRequests } = await first(both);
    expect(Object.keys(inputRequests as Json)).toEqual(["elicit-1"]);
  });

  test("leave the log empty", async () => {
    const log = vi.fn<(level: string, data: unknown) => void>();
    const client = talk(async (ctx) => nameOf(await ctx.elicit(who)), ABLE, { log });
    await first(client);
    await client.result("prompts/get", { name: "one" });
    await client.result("resources/read", { uri: "a:one" });
    expect(log).not.toHaveBeenCalled();
  });

  test("fail when they are too large to carry, with the reason in the log", async () => {
    const log = vi.fn<(level: string, data: unknown) => void>();
    const run = async (ctx: InteractiveContext): Promise<string> => {
      await ctx.once("much", () => "x".repeat(40_000));
      return nameOf(await ctx.elicit(who));
    };
    const client = talk(run, ABLE, { log });
    expect(await client.error("tools/call", CALL)).toMatchObject({ code: -32603 });
    expect(log).toHaveBeenCalledExactlyOnceWith("error", expect.stringContaining("ctx.once"));
  });
});

describe("the answers of a retry", () => {
  const inTurn = async (ctx: InteractiveContext): Promise<string> => {
    const one = nameOf(await ctx.elicit(who));
    return `${one} and ${nameOf(await ctx.elicit({ ...who, message: `With whom, ${one}?` }))}`;
  };

  test("MRTR-19 arrive one round after the other, with a different state each", async () => {
    const client = talk(inTurn);
    const one = await first(client);
    const two = await client.retry("tools/call", CALL, one, { "elicit-1": accept("Ada") });
    expect(Object.keys(two["inputRequests"] as Json)).toEqual(["elicit-2"]);
    expect(two["requestState"]).not.toBe(one["requestState"]);
    expect(await client.retry("tools/call", CALL, two, { "elicit-2": accept("Grace") })).toEqual(words("Ada and Grace"));
  });

  test("MRTR-21 MRTR-22 are ignored without a request, and requested again when missing", async () => {
    const client = talk(inTurn);
    const one = await first(client);
    for (const answers of [{}, { other: accept("Eve") }, { "elicit-2": accept("Eve") }, { constructor: accept("Eve") }]) {
      const again = await client.retry("tools/call", CALL, one, answers);
      expect(again["inputRequests"]).toEqual(one["inputRequests"]);
    }
    const withoutAny = await client.result("tools/call", { ...CALL, requestState: one["requestState"] });
    expect(withoutAny["inputRequests"]).toEqual(one["inputRequests"]);
  });

  test.each<[what: string, given: Json, code: number]>([
    ["no object", { inputResponses: "yes" }, -32602],
    ["null", { inputResponses: null }, -32602],
    ["a list", { inputResponses: [accept("Ada")] }, -32602],
    ["a number for an answer", { inputResponses: { "elicit-1": 12_345 } }, -32602],
    ["null for an answer", { inputResponses: { "elicit-1": null } }, -32602],
    ["an answer without action", { inputResponses: { "elicit-1": { content: { name: "Ada" } } } }, -32602],
    ["an action that is none", { inputResponses: { "elicit-1": { action: "yes" } } }, -32602],
  ])("MRTR-20 fail with %s, and the round can be repeated", async (_what, given, code) => {
    const client = talk(inTurn);
    const one = await first(client);
    expect(await client.error("tools/call", { ...CALL, requestState: one["requestState"], ...given })).toMatchObject({ code });
    const two = await client.retry("tools/call", CALL, one, { "elicit-1": accept("Ada") });
    expect(two["resultType"]).toBe("input_required");
  });

  test.each<[what: string, answer: Json]>([
    ["too short", accept("A")],
    ["of another type", accept(7)],
    ["without content", { action: "accept" }],
    ["with other content", { action: "accept", content: { nickname: "Ada" } }],
  ])("MRTR-20 are reported to the model when they do not match the form: %s", async (_what, answer) => {
    const client = talk(inTurn);
    const replyText = await client.retry("tools/call", CALL, await first(client), { "elicit-1": answer });
    expect(replyText).toMatchObject({ resultType: "complete", isError: true });
  });

  test("MRTR-21 MRTR-16 are ignored ahead of their request", async () => {
    const client = talk(inTurn);
    const ahead = { "elicit-1": accept("Ada"), "elicit-2": accept("Grace"), x: {} };
    expect(await client.result("tools/call", { ...CALL, inputResponses: ahead })).toMatchObject({
      resultType: "input_required",
      inputRequests: { "elicit-1": {} },
    });
  });

  test("MRTR-15 MRTR-16 need a state of their own request", async () => {
    const client = talk(inTurn);
    const { requestState } = await first(client);
    const answers = { inputResponses: { "elicit-1": accept("Ada") } };
    const refused: [method: string, params: Json][] = [
      ["tools/call", { name: "two", arguments: {} }],
      ["tools/call", { name: "one" }],
      ["tools/call", { name: "one", arguments: { x: 1 } }],
      ["prompts/get", { name: "one" }],
      ["resources/read", { uri: "a:one" }],
    ];
    for (const [method, params] of refused) {
      expect(await client.error(method, { ...params, ...answers, requestState })).toMatchObject({
        code: -32602,
        message: expect.stringContaining("requestState"),
      });
    }
    const state = String(requestState);
    for (const other of [null, 7, "", "x", state.slice(1), `${state}A`, state.split("").reverse().join("")]) {
      expect(await client.error("tools/call", { ...CALL, ...answers, requestState: other })).toMatchObject({ code: -32602 });
    }
    // In any order of keys, and with another envelope.
    const params = { requestState, arguments: {}, ...answers, name: "one", _meta: { progressToken: 1 } };
    expect(await client.result("tools/call", params)).toMatchObject({ resultType: "input_required" });
  });

  test("META-11 MRTR-06 come with the client's capabilities of each round", async () => {
    const client = talk(inTurn);
    const one = await first(client);
    const poor = {
      ...CALL,
      requestState: one["requestState"],
      inputResponses: { "elicit-1": accept("Ada") },
      _meta: { [CAPABILITIES]: {} },
    };
    expect(await client.error("tools/call", poor)).toMatchObject({ code: -32021 });
  });

  test("may repeat a state within its time, unless the author uses a token of its own", async () => {
    let runs = 0;
    const client = talk(async (ctx) => `${nameOf(await ctx.elicit(who))} ${++runs}`);
    const one = await first(client);
    expect(await client.retry("tools/call", CALL, one, { "elicit-1": accept("Ada") })).toEqual(words("Ada 1"));
    expect(await client.retry("tools/call", CALL, one, { "elicit-1": accept("Ada") })).toEqual(words("Ada 2"));
  });
});

test("MRTR-05 MRTR-19 exclude requests that a handler adds while its round is sealed, which go out once in the next one", async () => {
  const client = talk(async (ctx) => {
    const inTurn = async (): Promise<string> => {
      const one = nameOf(await ctx.elicit({ ...who, key: "one" }));
      await new Promise((turn) => queueMicrotask(() => queueMicrotask(() => process.nextTick(turn))));
      return `${one} ${nameOf(await ctx.elicit({ ...who, key: "late", message: `And, ${one}?` }))}`;
    };
    const [both, other] = await Promise.all([inTurn(), ctx.elicit({ ...who, key: "other" })]);
    return `${both} ${nameOf(other)}`;
  });
  const one = await first(client);
  const two = await client.retry("tools/call", CALL, one, { one: accept("Ada") });
  expect(Object.keys(two["inputRequests"] as Json)).toEqual(["other"]);
  const three = await client.retry("tools/call", CALL, two, { other: accept("Bob"), late: accept("Eve") });
  expect(Object.keys(three["inputRequests"] as Json)).toEqual(["late"]);
  expect(await client.retry("tools/call", CALL, three, { late: accept("Cleo") })).toEqual(words("Ada Cleo Bob"));
});

describe("MRTR-18 abandoned rounds", () => {
  const asking = (): Runtime => {
    const handler = tool({ name: "one", run: async (_input, ctx) => nameOf(await ctx.elicit(who)) });
    return new Runtime(defineServer({ name: "asks", version: "1", tools: [handler] }));
  };
  const joined = (endpoint: Runtime, came: string[]) => {
    const keep = (text: string | undefined): void => void came.push(text ?? "nothing");
    return new Connection(endpoint, { complete: keep, notify: keep, refuse: ({ message }) => came.push(message) });
  };
  const call = JSON.stringify(asks("tools/call", { name: "one" }, { capabilities: ABLE }));

  test("leave no request and no timer behind, and need no end", async () => {
    const endpoint = asking();
    const came: string[] = [];
    const connection = joined(endpoint, came);
    for (let time = 0; time < 200; time++) connection.receive(call.replace('"id":1', `"id":${time}`));
    await vi.waitFor(() => expect(came).toHaveLength(200), 30_000);
    expect(connection.running).toBe(0);
    await connection.finish(90_000); // longer than a test may take
    await endpoint.close();
  });

  test("CANCEL-11 send no response when cancelled while the state is sealed, and free the id", async () => {
    const endpoint = asking();
    const came: string[] = [];
    const connection = joined(endpoint, came);
    connection.receive(call);
    await Promise.resolve();
    connection.receive(call);
    expect(came).toEqual(["Invalid Request: this id is in use."]);
    connection.receive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    connection.receive(call);
    await vi.waitFor(() => expect(came.filter((text) => text.includes("input_required"))).toHaveLength(1), 30_000);
    await connection.finish(1000);
    expect(came.filter((text) => text.includes("input_required"))).toHaveLength(1);
    await endpoint.close();
  });

  test("still send their input requests at the end of input", async () => {
    const endpoint = asking();
    const came: string[] = [];
    const connection = joined(endpoint, came);
    connection.receive(call);
    await connection.finish(1000);
    expect(came).toEqual([expect.stringContaining("input_required")]);
    await endpoint.close();
  });
});
