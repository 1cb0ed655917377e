// Subscriptions of the stateless era: acknowledgement, notifications, their tag, and the end.
import { describe, expect, test, vi } from "vitest";
import { defineServer, prompt, resource, template, tool, type Limits, type Server } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { ModernTalk } from "../support/modern-talk.ts";
import { LOG_LEVEL, SERVER_INFO, SUBSCRIPTION_ID } from "../support/stateless-message.ts";

const LISTEN = "subscriptions/listen";
const ACK = "notifications/subscriptions/acknowledged";
const TEXT = "sample://text";
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [TEXT] };

const tagged = (method: string, id: string | number, params: Json = {}): Json => ({
  jsonrpc: "2.0",
  method,
  params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } },
});
const ack = (id: string | number, notifications: Json): Json => tagged(ACK, id, { notifications });
const changed = (list: string, id: string | number): Json => tagged(`notifications/${list}/list_changed`, id);
const updated = (uri: string, id: string | number): Json => tagged("notifications/resources/updated", id, { uri });

/** Begins to listen; gives the id once it is acknowledged. */
async function listen(client: ModernTalk, notifications: unknown, id: string | number = "news", meta?: Json): Promise<string | number> {
  client.begin(LISTEN, { notifications, ...(meta && { _meta: meta }) }, id);
  await client.until(({ method, params }) => method === ACK && (params as Json)["_meta"] !== undefined && client.newsOf(id).length > 0);
  return id;
}

const onlyTools = (): Server => defineServer({ name: "plain", version: "1", tools: [tool({ name: "t", run: () => "t" })] });
const unwatched = (): Server =>
  defineServer({ name: "plain", version: "1", resources: [resource({ uri: TEXT, name: "t", read: () => "t" })] });

describe("SUB-08 SUB-09 acknowledges first, with everything that it will notify", () => {
  test.each<[what: string, server: () => Server, filter: Json, honoured: Json]>([
    ["all that there is", sampleServer, ALL, ALL],
    ["nothing", sampleServer, {}, {}],
    ["one list", sampleServer, { promptsListChanged: true }, { promptsListChanged: true }],
    ["what is not wanted", sampleServer, { toolsListChanged: false, promptsListChanged: true }, { promptsListChanged: true }],
    ["no addresses", sampleServer, { resourceSubscriptions: [] }, {}],
    [
      "addresses in their order, each once",
      sampleServer,
      { resourceSubscriptions: ["sample:///items/beta", TEXT, TEXT] },
      { resourceSubscriptions: ["sample:///items/beta", TEXT] },
    ],
    [
      "a resource without a watch",
      sampleServer,
      { resourceSubscriptions: ["sample://bytes", "nowhere://", "sample:///items/none", "", TEXT] },
      { resourceSubscriptions: [TEXT] },
    ],
    ["unknown kinds", sampleServer, { taskIds: ["1"], x: true, toolsListChanged: true }, { toolsListChanged: true }],
    ["lists that this server has not", onlyTools, ALL, { toolsListChanged: true }],
    ["addresses of a server that lets nothing be watched", unwatched, ALL, { resourcesListChanged: true }],
    ["a server without anything", () => defineServer({ name: "bare", version: "1" }), ALL, {}],
  ])("%s", async (_what, server, filter, honoured) => {
    await using client = new ModernTalk(server());
    await listen(client, filter, 7);
    expect(client.received).toEqual([ack(7, honoured)]);
  });

  describe("a watch that does not begin", () => {
    const stops: string[] = [];
    const never = Promise.withResolvers<() => void>();
    const slow = resource({ uri: "a:slow", name: "slow", read: () => "", watch: () => never.promise });
    const quick = resource({ uri: "a:quick", name: "quick", read: () => "", watch: () => () => stops.push("quick") });
    const forever = resource({ uri: "a:forever", name: "forever", read: () => "", watch: () => new Promise(() => undefined) });
    const server = (): Server =>
      defineServer({ name: "slow", version: "1", resources: [slow, quick], limits: { timeoutMs: 60 } satisfies Partial<Limits> });
    const filter = { resourceSubscriptions: ["a:slow", "a:quick"] };

    test("SUB-08 SUB-09 is left out, and ended when it has begun after all", async () => {
      await using client = new ModernTalk(server());
      await listen(client, filter);
      expect(client.received).toEqual([ack("news", { resourceSubscriptions: ["a:quick"] })]);
      never.resolve(() => stops.push("slow"));
      await vi.waitFor(() => expect(stops).toEqual(["slow"]), 30_000);
    });

    test("appears in the operator's log", async () => {
      const failing = resource({ uri: "a:f", name: "f", read: () => "", watch: () => Promise.reject(new Error("too many watchers")) });
      const log = vi.fn<(level: string, data: unknown) => void>();
      await using client = new ModernTalk(defineServer({ name: "failing", version: "1", resources: [failing, quick] }), { log });
      await listen(client, { resourceSubscriptions: ["a:f", "a:none", "a:quick"] });
      expect(client.received).toEqual([ack("news", { resourceSubscriptions: ["a:quick"] })]);
      expect(log.mock.calls).toEqual([["error", expect.stringMatching(/^ref [0-9a-f]{4}: Error: too many watchers/)]]);
    });

    test("SUB-19 does not outlive its subscription", async () => {
      await using client = new ModernTalk(defineServer({ name: "slow", version: "1", resources: [quick, forever] }));
      client.begin(LISTEN, { notifications: { resourceSubscriptions: ["a:quick", "a:forever"] } }, 1);
      stops.length = 0;
      client.note("notifications/cancelled", { requestId: 1 });
      await vi.waitFor(() => expect(stops).toEqual(["quick"]), 30_000);
      expect(client.received).toEqual([]);
    });
  });

  test("notifies a change during the set-up of a watch after it", async () => {
    const opened = Promise.withResolvers<void>();
    let change = (): void => undefined;
    const slow = resource({
      uri: "a:",
      name: "a",
      read: () => "",
      async watch(notify) {
        change = notify;
        await opened.promise;
        return () => undefined;
      },
    });
    const server = defineServer({ name: "slow", version: "1", resources: [slow] });
    await using client = new ModernTalk(server);
    client.begin(LISTEN, { notifications: { resourcesListChanged: true, resourceSubscriptions: ["a:"] } }, "news");
    await client.settled();
    change();
    server.resources.add(resource({ uri: "b:", name: "b", read: () => "" }));
    await client.settled();
    expect(client.newsOf("news")).toEqual([]);
    opened.resolve();
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    expect(client.newsOf("news")).toEqual([
      ack("news", { resourcesListChanged: true, resourceSubscriptions: ["a:"] }),
      updated("a:", "news"),
      changed("resources", "news"),
    ]);
  });
});

test("keeps at most 1,000 notifications while the watches begin", async () => {
  const changedAtOnce = template({
    uri: "a:{id}",
    name: "item",
    read: () => "",
    watch(_variables, notify) {
      notify();
      return () => undefined;
    },
  });
  const server = defineServer({ name: "busy", version: "1", resources: [changedAtOnce], limits: { subscriptions: 1100 } });
  await using client = new ModernTalk(server);
  const uris = Array.from({ length: 1100 }, (_, at) => `a:${at}`);
  client.begin(LISTEN, { notifications: { resourceSubscriptions: uris } }, "news");
  await client.until(({ method }) => method === ACK);
  await client.settled();
  const early = uris.slice(0, 1000).map((uri) => updated(uri, "news"));
  expect(client.newsOf("news")).toEqual([ack("news", { resourceSubscriptions: uris }), ...early]);
});

describe("SUB-07 SUB-10 notifies requested changes with the id of the request", () => {
  test.each([[0], [7], ["7"], [""], ["news/ä"]])("id %j", async (id) => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, ALL, id);
    await client.replyText("grow", { name: "more" });
    await client.replyText("touch", { uri: TEXT });
    expect(client.newsOf(id)).toEqual([
      ack(id, ALL),
      changed("tools", id),
      changed("resources", id),
      changed("prompts", id),
      updated(TEXT, id),
    ]);
    // Without a subscription nothing is sent.
    expect(client.received.filter(({ method }) => method !== undefined)).toHaveLength(5);
  });

  test.each(["tools", "prompts", "resources"])("only of %s", async (list) => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, { [`${list}ListChanged`]: true });
    await client.replyText("grow", { name: "more" });
    await client.replyText("touch", { uri: TEXT });
    expect(client.newsOf("news")).toEqual([ack("news", { [`${list}ListChanged`]: true }), changed(list, "news")]);
  });

  test("SUB-18 only of the named URIs", async () => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, { resourceSubscriptions: ["sample:///items/beta"] });
    for (const uri of [TEXT, "sample:///items/alpha", "sample:///items/beta"]) await client.replyText("touch", { uri });
    expect(client.newsOf("news")).toEqual([
      ack("news", { resourceSubscriptions: ["sample:///items/beta"] }),
      updated("sample:///items/beta", "news"),
    ]);
  });

  test('several at once, each its own; 1 and "1" are two', async () => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, { toolsListChanged: true, resourceSubscriptions: [TEXT] }, 1);
    await listen(client, { promptsListChanged: true, resourceSubscriptions: [TEXT] }, "1");
    await client.replyText("grow", { name: "more" });
    await client.replyText("touch", { uri: TEXT });
    expect(client.newsOf(1)).toEqual([
      ack(1, { toolsListChanged: true, resourceSubscriptions: [TEXT] }),
      changed("tools", 1),
      updated(TEXT, 1),
    ]);
    expect(client.newsOf("1")).toEqual([
      ack("1", { promptsListChanged: true, resourceSubscriptions: [TEXT] }),
      changed("prompts", "1"),
      updated(TEXT, "1"),
    ]);
  });

  test("simultaneous changes together", async () => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, { resourceSubscriptions: [TEXT] });
    await client.replyText("touch", { uri: TEXT, times: 50 });
    await vi.waitFor(() => expect(client.newsOf("news")).toHaveLength(3), 30_000);
    await client.replyText("busy", { ms: 150 });
    expect(client.newsOf("news")).toHaveLength(3);
  });

  test("SUB-17 LOG-12 PROG-13 without logs and progress of a watch", async () => {
    const chatty = resource({
      uri: "a:",
      name: "a",
      read: () => "",
      subscribe(ctx) {
        ctx.log.error("watching");
        ctx.progress(1);
      },
      watch: () => () => undefined,
    });
    const noisy = tool({
      name: "noisy",
      run(_input, ctx) {
        ctx.log.error("reply");
        ctx.progress(1);
        return "done";
      },
    });
    await using client = new ModernTalk(defineServer({ name: "chatty", version: "1", resources: [chatty], tools: [noisy] }));
    await listen(client, { resourceSubscriptions: ["a:"] }, "news", { [LOG_LEVEL]: "debug", progressToken: "p" });
    expect(client.received).toEqual([ack("news", { resourceSubscriptions: ["a:"] })]);
    await client.replyText("noisy", {}, { [LOG_LEVEL]: "debug", progressToken: "q" });
    expect(client.newsOf("news")).toHaveLength(1);
    expect(client.heard("notifications/progress")).toEqual([{ progressToken: "q", progress: 1 }]);
    expect(client.heard("notifications/message")).toEqual([{ level: "error", logger: "chatty", data: "reply" }]);
  });
});

describe("its end", () => {
  test("SUB-19 CANCEL-11 by the client sends nothing more, no response either, and stops every watch", async () => {
    const replyText: string[] = [];
    await using client = new ModernTalk(sampleServer({}, (text) => replyText.push(text)));
    await listen(client, ALL);
    client.note("notifications/cancelled", { requestId: "news" });
    await client.settled();
    expect(replyText).toEqual([`watching ${TEXT}`, `stopped watching ${TEXT}`]);
    await client.replyText("grow", { name: "more" });
    await client.replyText("touch", { uri: TEXT });
    expect(client.received.filter(({ id, method }) => id === "news" || method !== undefined)).toEqual([ack("news", ALL)]);
    // The id may be used again.
    await listen(client, { toolsListChanged: true });
  });

  test("SUB-19 by the client while a watch is being set up", async () => {
    const opened = Promise.withResolvers<void>();
    const stop = vi.fn<() => void>();
    const slow = resource({ uri: "a:", name: "a", read: () => "", watch: () => opened.promise.then(() => stop) });
    await using client = new ModernTalk(defineServer({ name: "slow", version: "1", resources: [slow] }));
    client.begin(LISTEN, { notifications: { resourceSubscriptions: ["a:"] } }, "news");
    client.note("notifications/cancelled", { requestId: "news" });
    await client.settled();
    opened.resolve();
    await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(1), 30_000);
    await client.settled();
    expect(client.received.filter(({ id, method }) => id === "news" || method !== undefined)).toEqual([]);
  });

  test("ignores a cancellation with another client's id", async () => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, { toolsListChanged: true }, 1);
    for (const requestId of ["1", 2, null, undefined, {}]) client.note("notifications/cancelled", { requestId });
    await client.replyText("grow", { name: "more" });
    expect(client.newsOf(1)).toHaveLength(2);
  });

  test("SUB-14 SUB-15 CANCEL-12 RT-01 by the server notifies first and then responds", async () => {
    const client = new ModernTalk(sampleServer());
    await listen(client, { toolsListChanged: true }, 1);
    await listen(client, {}, "two");
    const before = client.received.length;
    await client[Symbol.asyncDispose]();
    const last = (id: string | number): Json[] => [
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "The server is shutting down" } },
      {
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", _meta: { [SUBSCRIPTION_ID]: id, [SERVER_INFO]: expect.objectContaining({ name: "sample" }) } },
      },
    ];
    expect(client.received.slice(before)).toEqual([...last(1), ...last("two")]);
  });
});

describe("refuses", () => {
  test.each<[notifications: unknown]>([
    [undefined],
    [null],
    [[]],
    ["all"],
    [{ toolsListChanged: "yes" }],
    [{ promptsListChanged: 1 }],
    [{ resourcesListChanged: null }],
    [{ resourceSubscriptions: TEXT }],
    [{ resourceSubscriptions: null }],
    [{ resourceSubscriptions: [TEXT, 7] }],
    [{ resourceSubscriptions: Array.from({ length: 6 }, (_, at) => `a:${at}`) }],
  ])("-32602 %j", async (notifications) => {
    await using client = new ModernTalk(sampleServer({ limits: { subscriptions: 5 } }));
    expect(await client.error(LISTEN, { notifications })).toEqual({ code: -32602, message: expect.stringContaining("notifications") });
    await listen(client, {});
  });

  const limited = (limits: Partial<Limits>): ModernTalk => new ModernTalk(sampleServer({ limits }));

  test("more streams than one client may have, until one has ended", async () => {
    await using client = limited({ subscriptionStreams: 2 });
    await listen(client, {}, 1);
    await listen(client, {}, 2);
    expect(await client.error(LISTEN, { notifications: {} })).toEqual({ code: 429, message: expect.stringContaining("2") });
    client.note("notifications/cancelled", { requestId: 1 });
    await listen(client, {}, 3);
  });

  test("an id in use, by a stream or by a call", async () => {
    await using client = new ModernTalk(sampleServer());
    await listen(client, {}, "a");
    client.begin("tools/call", { name: "slow" }, "b");
    client.begin("tools/list", {}, "a");
    client.begin(LISTEN, { notifications: {} }, "b");
    await client.settled();
    const refused = { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.stringContaining("in use") } };
    expect(client.received.filter(({ id }) => id === null)).toEqual([refused, refused]);
    client.note("notifications/cancelled", { requestId: "b" });
    await listen(client, {}, "b");
  });
});

test("MRTR-01 SUB-21 the session methods for subscriptions", async () => {
  await using client = new ModernTalk(defineServer({ name: "p", version: "1", prompts: [prompt({ name: "p", get: () => "p" })] }));
  for (const method of ["resources/subscribe", "resources/unsubscribe", "resources/read"]) {
    expect(await client.error(method, { uri: TEXT })).toEqual({ code: -32601, message: "Method not found" });
  }
});

test.each<[what: string, filter: Json, meta: Json]>([
  ["addresses", { resourceSubscriptions: [`x:${"x".repeat(300_000)}`] }, {}],
  ["unknown members", { more: "x".repeat(300_000) }, {}],
  ["members of _meta", {}, { more: "x".repeat(300_000) }],
])("G3 a subscription with long %s", async (_what, notifications, _meta) => {
  await using client = new ModernTalk(sampleServer());
  client.begin(LISTEN, { notifications, _meta }, "long");
  const refusal = await client.until(({ id }) => id === "long");
  expect(refusal).toMatchObject({ error: { code: -32602, message: expect.stringContaining("too long") } });
  await listen(client, ALL);
});
