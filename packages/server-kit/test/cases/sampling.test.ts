// Asking the client's model (requirements SAMP-*).
import { describe, expect, test } from "vitest";
import { defineServer, fromJsonSchema, tool, type InteractiveContext } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk, type AnswerQuestion } from "../support/talk.ts";

const CREATE = "sampling/createMessage";
const ABLE: Json = { sampling: { tools: {}, context: {} } };
const hi: AnswerQuestion = () => ({ role: "assistant", content: { type: "text", text: "hi" }, model: "m" });
const text = (value: string, more: Json = {}): Json => ({ type: "text", text: value, ...more });
const user = (content: unknown, more: Json = {}): Json => ({ role: "user", content, ...more });
const HELLO = [user(text("Hello?"))];

describe.each(STATEFUL)("in %s", (revision) => {
  const newest = revision >= "2025-11-25";

  test("SAMP-04 SAMP-22 sends messages, maxTokens and optional members", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { [CREATE]: hi } });
    expect(JSON.parse(await client.replyText("sample"))).toEqual(text("hi"));
    const extra = {
      modelPreferences: { hints: [{ name: "small" }], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
      systemPrompt: "Be brief.",
      temperature: 0.1,
      stopSequences: ["."],
      metadata: { some: "data" },
      includeContext: "none",
    };
    await client.replyText("sample", { extra });
    expect(client.heard(CREATE)).toEqual([
      { messages: HELLO, maxTokens: 100 },
      { messages: HELLO, maxTokens: 100, ...extra },
    ]);
  });

  test("SAMP-03 LIFE-15 sends no request to a client that did not declare it", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: { roots: {} } });
    expect(await client.failure("sample")).toContain("sampling");
    expect(client.heard(CREATE)).toEqual([]);
  });

  test("SAMP-08 SAMP-09 sends several blocks as one message, or in older revisions as several", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { [CREATE]: hi } });
    await client.replyText("sample", { extra: { messages: [user([text("a"), text("b")], { _meta: { x: 1 } }), user([text("c")])] } });
    const messages = newest
      ? [user([text("a"), text("b")], { _meta: { x: 1 } }), user([text("c")])]
      : [user(text("a")), user(text("b")), user(text("c"))];
    expect(client.heard(CREATE)[0]?.["messages"]).toEqual(messages);
  });

  test("SAMP-10 SAMP-11 SAMP-12 encodes blocks for the revision", async () => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { [CREATE]: hi } });
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
    const use = { type: "tool_use", id: "1", name: "t", input: {} };
    const given = { type: "tool_result", toolUseId: "1", content: [text("done")] };
    const note = text("a", { _meta: { "sample.example/x": 1 }, annotations: { priority: 1, lastModified: "2025-01-12T15:00:58Z" } });
    const messages = [user(note), user(image), user(audio), { role: "assistant", content: use }, user(given)];
    await client.replyText("sample", { extra: { messages } });
    const [asked] = client.heard(CREATE) as { messages: { content: Json }[] }[];
    const replyText = asked!.messages.map(({ content }) => content);
    expect(replyText[0]).toEqual(revision >= "2025-06-18" ? note : text("a", { annotations: { priority: 1 } }));
    expect(replyText[1]).toEqual(image);
    expect(replyText[2]).toEqual(revision >= "2025-03-26" ? audio : text(expect.stringContaining("audio/wav") as unknown as string));
    // As text, not left out.
    for (const [at, block] of [use, given].entries()) {
      expect(replyText[3 + at]).toEqual(newest ? block : text(expect.stringContaining('"1"') as unknown as string));
    }
  });

  test("SAMP-13 sends tools and a choice of them only to clients that declared them, in a revision that has them", async () => {
    const tools = [{ name: "t", inputSchema: { type: "object" } }];
    await using without = await talk(sampleServer(), { revision, capabilities: { sampling: {} }, answers: { [CREATE]: hi } });
    expect(await without.failure("sample", { extra: { tools } })).toContain("tools in sampling");
    expect(await without.failure("sample", { extra: { toolChoice: { mode: "auto" } } })).toContain("tools in sampling");
    expect(without.heard(CREATE)).toEqual([]);

    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { [CREATE]: hi } });
    if (newest) {
      await client.replyText("sample", { extra: { tools, toolChoice: { mode: "none" } } });
      expect(client.heard(CREATE)).toEqual([{ messages: HELLO, maxTokens: 100, tools, toolChoice: { mode: "none" } }]);
    } else {
      expect(await client.failure("sample", { extra: { tools } })).toContain("tools in sampling");
      expect(client.heard(CREATE)).toEqual([]);
    }
  });
});

test("SAMP-19 requests context of other servers only if the client can give it", async () => {
  for (const includeContext of ["thisServer", "allServers"]) {
    await using plain = await talk(sampleServer(), { capabilities: { sampling: {} }, answers: { [CREATE]: hi } });
    await plain.replyText("sample", { extra: { includeContext } });
    expect(plain.heard(CREATE)).toEqual([{ messages: HELLO, maxTokens: 100 }]);
    await using able = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: hi } });
    await able.replyText("sample", { extra: { includeContext } });
    expect(able.heard(CREATE)).toEqual([{ messages: HELLO, maxTokens: 100, includeContext }]);
  }
});

test("SAMP-26 sends the request while the call is in flight, before its response", async () => {
  await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: hi } });
  await client.settled();
  client.received.length = 0;
  await client.replyText("sample");
  expect(client.received.map(({ method }) => method ?? "answer")).toEqual([CREATE, "answer"]);
});

describe("SAMP-26 ROOTS-09 after the response of the call", () => {
  const WAYS: Record<string, (ctx: InteractiveContext) => Promise<unknown>> = {
    sample: (ctx) => ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "Hello?" } }], maxTokens: 1 }),
    elicit: (ctx) => ctx.elicit({ message: "Well?", schema: fromJsonSchema({ type: "object", properties: {} }, () => undefined) }),
    roots: (ctx) => ctx.roots(),
  };

  test.each(Object.keys(WAYS))("sends no client request (%s), and gives the handler the error", async (way) => {
    const goOn = Promise.withResolvers<void>();
    const left = Promise.withResolvers<unknown>();
    const late = tool({
      name: "late",
      run(_input, ctx) {
        void goOn.promise.then(() => WAYS[way]?.(ctx)).then(left.resolve, left.resolve);
        return "done";
      },
    });
    const capabilities = { ...ABLE, elicitation: {}, roots: {} };
    await using client = await talk(defineServer({ name: "late", version: "1", tools: [late] }), { capabilities });
    await client.settled();
    await client.replyText("late");
    client.received.length = 0;
    goOn.resolve();
    expect(await left.promise).toEqual(new Error("The request has been answered: no client request can be sent for it any more."));
    await client.settled();
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([]);
  });
});

test("still checks the client's result", async () => {
  let answer: Json | Error = {};
  await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: () => answer } });
  const wrong = [
    {},
    { role: "assistant" },
    { role: "robot", content: text("x"), model: "m" },
    { role: "assistant", content: "x", model: "m" },
    { role: "assistant", content: text("x") },
  ];
  for (const one of wrong) {
    answer = one;
    expect.soft(await client.failure("sample"), JSON.stringify(one)).toContain("returned an invalid message");
  }
  answer = new Error("User rejected sampling request");
  expect(await client.failure("sample")).toContain("User rejected sampling request");
  answer = { role: "assistant", content: [text("a"), text("b")], model: "m", stopReason: "endTurn", more: 1 };
  expect(JSON.parse(await client.replyText("sample"))).toEqual([text("a"), text("b")]);
});

describe("refuses messages that no client has to accept", () => {
  const use = (id: string): Json => ({ type: "tool_use", id, name: "t", input: {} });
  const given = (toolUseId: string): Json => ({ type: "tool_result", toolUseId, content: [text("done")] });
  const assistant = (content: unknown): Json => ({ role: "assistant", content });
  const wrong: [string, Json[]][] = [
    ["SAMP-15 a result of a tool among other blocks", [assistant(use("1")), user([given("1"), text("more")])]],
    ["SAMP-16 a use of a tool without its result", [assistant(use("1"))]],
    ["SAMP-16 another message in between", [assistant(use("1")), user(text("wait")), user(given("1"))]],
    ["SAMP-16 one result of two", [assistant([use("1"), use("2")]), user([given("1")])]],
  ];
  test.each(wrong)("%s", async (_title, messages) => {
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: hi } });
    await client.failure("sample", { extra: { messages } });
    expect(client.heard(CREATE)).toEqual([]);
  });

  test("SAMP-15 SAMP-16 sends valid messages unchanged", async () => {
    const messages = [assistant([text("Let me see"), use("1"), use("2")]), user([given("2"), given("1")]), assistant(text("done"))];
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: hi } });
    await client.replyText("sample", { extra: { messages } });
    expect(client.heard(CREATE)[0]?.["messages"]).toEqual(messages);
  });

  test("SAMP-22 refuses priorities beyond 0 and 1", async () => {
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: hi } });
    for (const priority of ["costPriority", "speedPriority", "intelligencePriority"]) {
      for (const value of [-0.1, 1.1, 100]) await client.failure("sample", { extra: { modelPreferences: { [priority]: value } } });
    }
    expect(client.heard(CREATE)).toEqual([]);
  });
});
