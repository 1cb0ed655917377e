// Results that are cached for as long as the server allows.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { connect, InterruptedError, type Client, type ConnectOptions } from "@oarlock/client";
import { failure, type ScriptedPeer } from "../support/scripted-peer.ts";
import { ResultCache } from "../../src/stateless/result-cache.ts";
import { discovered, give, connectStateless, NEWEST, serveStateless, subscriptionId } from "../support/stateless-peers.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const FOR_ALL = { ttlMs: 1000, cacheScope: "public" };

/** Each request whose result may be kept, with what its result must hold. */
const KEPT: [string, (client: Client) => Promise<unknown>, Json][] = [
  ["tools/list", (client) => client.tools().all(), { tools: [] }],
  ["prompts/list", (client) => client.prompts().all(), { prompts: [] }],
  ["resources/list", (client) => client.resources().all(), { resources: [] }],
  ["resources/templates/list", (client) => client.templates().all(), { resourceTemplates: [] }],
  ["resources/read", (client) => client.read("a://b"), { contents: [] }],
];

/** Whether this asks the server; it answers with this. */
async function asks(peer: ScriptedPeer, method: string, act: () => Promise<unknown>, result: Json): Promise<boolean> {
  const before = peer.received.length;
  const acting = act();
  // Two turns are enough for a request to leave.
  await new Promise((resolve) => setImmediate(resolve));
  const asked = peer.received.length > before;
  if (asked) await peer.answer(method, result);
  await acting;
  return asked;
}

describe.each(KEPT)("%s", (method, act, result) => {
  test("CACHE-08 CACHE-12 CACHE-13 is requested once in its lifetime, again afterwards, and never polled", async () => {
    const { peer, client } = await connectStateless();
    const isRequested = (): Promise<boolean> => asks(peer, method, () => act(client), { ...result, ...FOR_ALL });
    expect([await isRequested(), await isRequested()]).toEqual([true, false]);
    pass(999);
    expect(await isRequested()).toBe(false);
    pass(1);
    const before = peer.received.length;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(peer.received).toHaveLength(before);
    expect([await isRequested(), await isRequested()]).toEqual([true, false]);
  });

  test.each<Json>([{}, { ttlMs: 0 }, { ttlMs: -1 }, { ttlMs: "1000" }, { ttlMs: null }])(
    "CACHE-11 is not cached with %j",
    async (hints) => {
      const { peer, client } = await connectStateless();
      const isRequested = (): Promise<boolean> => asks(peer, method, () => act(client), { ...result, ...hints });
      expect([await isRequested(), await isRequested()]).toEqual([true, true]);
    },
  );

  test("is requested each time without a cache", async () => {
    const { peer, client } = await connectStateless({ cache: false });
    const isRequested = (): Promise<boolean> => asks(peer, method, () => act(client), { ...result, ...FOR_ALL });
    expect([await isRequested(), await isRequested()]).toEqual([true, true]);
  });
});

test("CACHE-08 caches by method and params, and returns copies", async () => {
  const { peer, client } = await connectStateless();
  const read = async (uri: string, text: string): Promise<unknown> => {
    const asked = client.read(uri);
    await peer.answer("resources/read", { contents: [{ uri, text }], ...FOR_ALL });
    return (await asked).contents;
  };
  await read("a://b", "b");
  await read("a://c", "c");
  const kept = await client.read("a://b");
  expect(kept).toEqual({ contents: [{ uri: "a://b", text: "b" }] });
  kept.contents.length = 0;
  expect((await client.read("a://b")).contents).toHaveLength(1);
  for (const cursor of [undefined, "2"]) {
    const page = client.tools().page(cursor);
    await peer.answer("tools/list", { tools: [{ name: `page ${cursor}` }], nextCursor: "2", ...FOR_ALL });
    await page;
  }
  expect([await client.tools().page(), await client.tools().page("2")].map(({ items }) => items[0]?.name)).toEqual([
    "page undefined",
    "page 2",
  ]);
});

test("caches only lists and contents", async () => {
  const { peer, client } = await connectStateless();
  for (const [method, act, result] of [
    ["tools/call", () => client.call("x"), { content: [] }],
    ["prompts/get", () => client.prompt("x"), { messages: [] }],
    [
      "completion/complete",
      () => client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "" }),
      { completion: { values: [] } },
    ],
    ["server/discover", () => client.ping(), discovered()],
    ["tools/list", () => client.request("tools/list"), { tools: [] }],
  ] as const) {
    for (const _ of [1, 2]) expect(await asks(peer, method, act, { ...result, ...FOR_ALL })).toBe(true);
  }
});

test("CACHE-09 does not cache results and requests of multi-round trips", async () => {
  const { peer, client } = await connectStateless();
  for (const _ of [1, 2]) {
    const asked = client.read("a://b");
    await peer.answer("resources/read", { resultType: "input_required", requestState: "s", ...FOR_ALL });
    await peer.answer("resources/read", { contents: [], ...FOR_ALL });
    await asked;
  }
  expect(peer.received).toHaveLength(5);
});

describe("CACHE-10 results for one caller", () => {
  test("CACHE-10 are not shared with another client or another token", async () => {
    let token = "one-token";
    await using server = await serveStateless((seen, response) => {
      if (seen.message.method !== "resources/read") return false;
      const { uri } = seen.message.params as Json;
      give(seen, response, {
        contents: [{ uri, text: String(seen.headers.authorization) }],
        ttlMs: 1000,
        ...(uri !== "a://hint-less" && { cacheScope: uri === "a://public" ? "public" : "private" }),
      });
    });
    await using client = await connect({ url: server.url, token: () => token }, { revision: NEWEST });
    await using other = await connect({ url: server.url, token: "other-token" }, { revision: NEWEST });
    const text = async (from: Client, uri: string): Promise<unknown> => (await from.read(uri)).contents[0];
    for (const uri of ["a://private", "a://hint-less"]) {
      token = "one-token";
      expect([await text(client, uri), await text(client, uri)]).toMatchObject([
        { text: "Bearer one-token" },
        { text: "Bearer one-token" },
      ]);
      token = "two-token";
      expect(await text(client, uri)).toMatchObject({ text: "Bearer two-token" });
      expect(await text(other, uri)).toMatchObject({ text: "Bearer other-token" });
    }
    expect(server.of("resources/read")).toHaveLength(6);
    await text(client, "a://public");
    token = "one-token";
    expect(await text(client, "a://public")).toMatchObject({ text: "Bearer two-token" });
  });
});

describe("CACHE-14 notifications invalidate cached results", () => {
  const uris = ["a://b", "a://b/c", "a://other"];
  const LISTED = KEPT.slice(0, 4);

  /** Which of all that is kept is asked for again after this. */
  async function askedAfter(method: string, params: Json = {}): Promise<string[]> {
    const { peer, client } = await connectStateless();
    const listening = client.listen({ tools: true, prompts: true, resources: true, uris });
    const { id, params: asked } = await peer.next();
    const notify = (what: string, more: Json): void =>
      peer.send({ method: `notifications/${what}`, params: { ...more, ...subscriptionId(id) } });
    notify("subscriptions/acknowledged", { notifications: (asked as Json).notifications });
    await listening.ready;
    const all: [string, string, () => Promise<unknown>, Json][] = [
      ...LISTED.map(([name, act, result]): [string, string, () => Promise<unknown>, Json] => [name, name, () => act(client), result]),
      ...uris.map((uri): [string, string, () => Promise<unknown>, Json] => [
        uri,
        "resources/read",
        () => client.read(uri),
        { contents: [] },
      ]),
    ];
    for (const [, name, act, result] of all) await asks(peer, name, act, { ...result, ...FOR_ALL });
    notify(method, params);
    const again: string[] = [];
    for (const [label, name, act, result] of all) if (await asks(peer, name, act, { ...result, ...FOR_ALL })) again.push(label);
    return again;
  }

  test.each<[string, Json, string[]]>([
    ["tools/list_changed", {}, ["tools/list"]],
    ["prompts/list_changed", {}, ["prompts/list"]],
    ["resources/list_changed", {}, ["resources/list", "resources/templates/list"]],
    ["resources/updated", { uri: "a://b" }, ["a://b", "a://b/c"]],
    ["resources/updated", { uri: "a://b/c" }, ["a://b", "a://b/c"]],
    ["resources/updated", { uri: "a://other" }, ["a://other"]],
  ])("CACHE-14 %s %j", async (method, params, expected) => {
    expect(await askedAfter(method, params)).toEqual(expected);
  });

  test("CACHE-14 does not cache a result that was in flight during a notification", async () => {
    const { peer, client } = await connectStateless();
    client.listen({ tools: true });
    const { id } = await peer.next();
    const listed = client.tools().all();
    const { id: asked } = await peer.next();
    peer.send({ method: "notifications/tools/list_changed", params: subscriptionId(id) });
    peer.send({ id: asked, result: { tools: [], ...FOR_ALL } });
    await listed;
    expect(await asks(peer, "tools/list", () => client.tools().all(), { tools: [] })).toBe(true);
  });
});

test("CACHE-14 does not cache a result for one user that a notification outdates while the user is determined", async () => {
  const { promise: user, resolve: determined } = Promise.withResolvers<string>();
  const cache = new ResultCache({}, () => user);
  const storing = cache.slotFor("tools/list", {})?.store({ tools: [], ttlMs: 1000, cacheScope: "private" });
  cache.invalidate({ kind: "tools" });
  determined("ada");
  await storing;
  expect(await cache.slotFor("tools/list", {})?.readFresh()).toBeUndefined();
});

describe("CACHE-15 an expired cursor", () => {
  const page = (names: string[], nextCursor?: string): Json => ({
    tools: names.map((name) => ({ name })),
    ...(nextCursor !== undefined && { nextCursor }),
    ...FOR_ALL,
  });

  test("CACHE-15 drops all cached pages and begins the list again without duplicates", async () => {
    const { peer, client } = await connectStateless();
    const first = client.tools().page();
    await peer.answer("tools/list", page(["a", "b"], "2"));
    await first;
    const all = client.tools().all();
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32_602, message: "Invalid cursor" } });
    await peer.answer("tools/list", page(["b", "c"], "3"));
    await peer.answer("tools/list", page(["d"]));
    expect((await all).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  test("reports an expired cursor that is not from the cache", async () => {
    const { peer, client } = await connectStateless();
    const failed = failure(client.tools().all());
    await peer.answer("tools/list", { tools: [], nextCursor: "2" });
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32_602, message: "Invalid cursor" } });
    expect(await failed).toEqual(new McpError(-32_602, "Invalid cursor"));
  });
});

describe("limits", () => {
  const reading = async (options: ConnectOptions): Promise<(uri: string) => Promise<boolean>> => {
    const { peer, client } = await connectStateless(options);
    return (uri) => asks(peer, "resources/read", () => client.read(uri), { contents: [{ uri, text: "x".repeat(1000) }], ...FOR_ALL });
  };

  test.each<[string, ConnectOptions]>([
    ["results", { cache: { maxResults: 2 } }],
    ["characters", { cache: { maxCharacters: 2500 } }],
  ])("of %s drop the least recently used result first", async (_, options) => {
    const read = await reading(options);
    expect([await read("a://1"), await read("a://2"), await read("a://1"), await read("a://3")]).toEqual([true, true, false, true]);
    expect([await read("a://1"), await read("a://2")]).toEqual([false, true]);
  });

  test("does not cache a result that exceeds the cache", async () => {
    const read = await reading({ cache: { maxCharacters: 500 } });
    expect([await read("a://1"), await read("a://1")]).toEqual([true, true]);
  });

  test("CACHE-16 returns stale results only on request, for a limited time, and only if the server is unreachable", async () => {
    let down = false;
    await using server = await serveStateless((seen, response) => {
      if (seen.message.method !== "resources/read") return false;
      if (down) return void response.destroy();
      give(seen, response, { contents: [], ...FOR_ALL });
    });
    await using patient = await connect(server, { revision: NEWEST, cache: { maxStaleMs: 5000 } });
    await using strict = await connect(server, { revision: NEWEST });
    await Promise.all([patient.read("a://b"), strict.read("a://b")]);
    down = true;
    pass(3000);
    expect(await patient.read("a://b")).toEqual({ contents: [] });
    expect(await failure(strict.read("a://b"))).toBeInstanceOf(InterruptedError);
    pass(3000);
    expect(await failure(patient.read("a://b"))).toBeInstanceOf(InterruptedError);
  });
});

test("CACHE-14 drops a result that is invalidated while the current user is determined", async () => {
  let answer: ((user: string) => void) | undefined;
  let isSlow = false;
  const cacheIdentity = (): Promise<string> => (isSlow ? new Promise((resolve) => (answer = resolve)) : Promise.resolve("ada"));
  const cache = new ResultCache({}, cacheIdentity);
  await cache.slotFor("tools/list", {})?.store({ tools: [], ttlMs: 60_000 });
  isSlow = true;
  const reading = cache.slotFor("tools/list", {})?.readFresh();
  cache.invalidate({ kind: "tools" });
  answer?.("ada");
  expect(await reading).toBeUndefined();
  isSlow = false;
  expect(await cache.slotFor("tools/list", {})?.readFresh()).toBeUndefined();
});
