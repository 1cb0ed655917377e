// Stateless requests: what each must contain, what each result carries, and that nothing is remembered.
import { afterEach, describe, expect, test } from "vitest";
import { Connection } from "../../src/runtime/connection.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { defineServer, prompt, resource, template, type InteractiveContext, type Server } from "../../src/index.ts";
import { REVISIONS, type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { ModernTalk } from "../support/modern-talk.ts";
import { asks, CAPABILITIES, CLIENT_INFO, LOG_LEVEL, NEWEST, SERVER_INFO, VERSION } from "../support/stateless-message.ts";
import { ABLE, Talk } from "../support/talk.ts";

const INFO = { name: "sample", version: "1.2.3" };
const open: Talk[] = [];
const begin = <T extends Talk>(client: T): T => (open.push(client), client);
const modern = (server: Server = sampleServer(), capabilities: Json = {}): ModernTalk => begin(new ModernTalk(server, { capabilities }));

afterEach(async () => {
  for (const client of open.splice(0)) await client[Symbol.asyncDispose]();
});

/** Every method, with params that are right. */
const CALLS: [method: string, params: Json][] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["tools/call", { name: "echo", arguments: { message: "m" } }],
  ["tools/call", { name: "echo", arguments: {} }],
  ["tools/call", { name: "throws", arguments: { what: "tool" } }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "sample://text" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "" } }],
];
const CACHEABLE = ["server/discover", "tools/list", "resources/list", "resources/templates/list", "resources/read", "prompts/list"];

describe("the envelope", () => {
  const good: Json = { [VERSION]: NEWEST, [CAPABILITIES]: {} };

  test.each<[what: string, meta: Json]>([
    ["META-10 without the client's name", good],
    ["META-15 whatever the client is called", { ...good, [CLIENT_INFO]: { name: "<script>", version: "" } }],
    ["META-01 META-17 with unknown keys", { ...good, "io.modelcontextprotocol/next": 1, traceparent: "00-a-b-01", baggage: "k=v" }],
    ["META-16 with a trace that is none", { ...good, traceparent: 7, tracestate: {}, baggage: null }],
    ["unknown capabilities", { ...good, [CAPABILITIES]: { roots: { listChanged: true }, teleport: {}, extensions: { "x/y": {} } } }],
  ])("is good: %s", async (_what, _meta) => {
    const client = begin(new Talk(sampleServer()));
    expect(await client.result("tools/call", { name: "echo", arguments: { message: "m" }, _meta })).toMatchObject({
      content: [{ text: "m" }],
    });
  });

  test.each<[what: string, meta: unknown, replyText: string]>([
    ["META-09 no capabilities", { [VERSION]: NEWEST }, CAPABILITIES],
    ["META-09 capabilities that are none", { ...good, [CAPABILITIES]: "all" }, CAPABILITIES],
    ["META-09 a version that is none", { ...good, [VERSION]: 20260728 }, VERSION],
    ["a client that is none", { ...good, [CLIENT_INFO]: "c" }, CLIENT_INFO],
    ["LOG-13 a level that is none", { ...good, [LOG_LEVEL]: "loud" }, LOG_LEVEL],
  ])("is refused: %s", async (_what, _meta, replyText) => {
    const client = begin(new Talk(sampleServer()));
    for (const [method, params] of [...CALLS, ["nope", {}] as const]) {
      expect(await client.error(method, { ...params, _meta })).toEqual({ code: -32602, message: expect.stringContaining(replyText) });
    }
  });

  test.each([...REVISIONS.slice(1), "2099-01-01", "v999.0.0", "", "2026-07-28 ", "latest"])(
    "DISC-07 is refused: version %j",
    async (requested) => {
      const client = begin(new Talk(sampleServer()));
      for (const method of ["server/discover", "tools/list", "initialize", "nope"]) {
        const params = { _meta: { ...good, [VERSION]: requested } };
        expect(await client.error(method, params)).toEqual({
          code: -32022,
          message: "Unsupported protocol version",
          data: { supported: REVISIONS, requested },
        });
      }
    },
  );

  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "roots/list",
    "tasks/get",
    "nope",
    "",
  ])("DISC-20 LOG-14 SUB-21 PING-05 has no method %j in this era", async (method) => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: INFO, level: "debug", uri: "sample://text" };
    expect(await modern().error(method, params)).toEqual({ code: -32601, message: "Method not found" });
  });

  test.each(["prompts/list", "resources/read", "resources/templates/list", "completion/complete"])(
    "DISC-06 does not know %s for a server without the feature",
    async (method) => {
      const server = defineServer({ name: "plain", version: "1", tools: [] });
      expect(await modern(server).error(method)).toEqual({ code: -32601, message: "Method not found" });
    },
  );
});

describe("server/discover", () => {
  test("DISC-01 DISC-02 DISC-03 DISC-04 DISC-05 describes the server and its features", async () => {
    expect(await modern().result("server/discover")).toEqual({
      resultType: "complete",
      supportedVersions: REVISIONS,
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
      },
      instructions: "Call echo.",
      ttlMs: expect.any(Number),
      cacheScope: "public",
      _meta: { [SERVER_INFO]: expect.objectContaining(INFO) },
    });
  });

  const FEATURES: [capability: string, method: string, params: Json][] = [
    ["tools", "tools/list", {}],
    ["prompts", "prompts/list", {}],
    ["resources", "resources/list", {}],
    ["completions", "completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } }],
  ];
  const p = prompt({ name: "p", get: () => "p" });
  test.each<[what: string, server: () => Server, declared: string[]]>([
    ["nothing", () => defineServer({ name: "s", version: "1" }), []],
    ["tools, none yet", () => defineServer({ name: "s", version: "1", tools: [] }), ["tools"]],
    ["prompts", () => defineServer({ name: "s", version: "1", prompts: [p] }), ["prompts"]],
    ["resources", () => defineServer({ name: "s", version: "1", resources: [] }), ["resources"]],
    ["all", sampleServer, ["completions", "prompts", "resources", "tools"]],
  ])("DISC-06 lists exactly the capabilities whose methods answer: %s", async (_what, server, declared) => {
    const client = modern(server());
    const { capabilities } = await client.result("server/discover");
    const { logging: _logging, ...features } = capabilities as Json;
    expect(Object.keys(features).sort()).toEqual(declared);
    for (const [capability, method, params] of FEATURES) {
      const { error } = await client.request(method, params);
      expect((error as Json | undefined)?.["code"] !== -32601).toBe(declared.includes(capability));
    }
  });
});

describe("results", () => {
  test.each(CALLS)("RT-01 RT-04 META-14 of %s %j have their type and server", async (method, params) => {
    const { resultType, _meta } = await modern().result(method, params);
    expect(resultType).toBe("complete");
    expect(_meta).toEqual({ [SERVER_INFO]: expect.objectContaining(INFO) });
  });

  test.each(CALLS)("CACHE-01 CACHE-02 CACHE-03 of %s %j have cache hints if the revision requires them", async (method, params) => {
    const { ttlMs, cacheScope } = await modern().result(method, params);
    if (!CACHEABLE.includes(method)) return expect([ttlMs, cacheScope]).toEqual([undefined, undefined]);
    expect(Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0).toBe(true);
    expect(["public", "private"]).toContain(cacheScope);
  });

  test("CACHE-05 have the same hints on every page of a list", async () => {
    const client = modern(sampleServer({ pageSize: 1 }));
    for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
      const hints = new Set<string>();
      let cursor: unknown;
      let pages = 0;
      do {
        const { nextCursor, ttlMs, cacheScope } = await client.result(method, cursor === undefined ? {} : { cursor });
        hints.add(JSON.stringify([ttlMs, cacheScope]));
        cursor = nextCursor;
        pages++;
      } while (cursor !== undefined);
      expect(pages).toBeGreaterThan(1);
      expect([...hints]).toHaveLength(1);
    }
  });

  test("CACHE-07 are private if they may differ by caller: contents, and lists that templates make", async () => {
    const client = modern();
    expect(await client.result("resources/read", { uri: "sample://text" })).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    expect(await client.result("resources/list")).toMatchObject({ ttlMs: 0, cacheScope: "private" });
    expect(await client.result("tools/list")).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
  });

  test("CACHE-01 take the author's hints", async () => {
    const client = modern(
      defineServer({
        name: "s",
        version: "1",
        cache: { ttlMs: 5, scope: "private" },
        tools: [],
        resources: [
          resource({ uri: "a:", name: "a", cache: { ttlMs: 7, scope: "public" }, read: () => "a" }),
          template({ uri: "t:{x}", name: "t", cache: { ttlMs: 9 }, read: ({ x }) => x }),
        ],
      }),
    );
    for (const method of ["server/discover", "tools/list", "resources/list", "resources/templates/list"]) {
      expect(await client.result(method)).toMatchObject({ ttlMs: 5, cacheScope: "private" });
    }
    expect(await client.result("resources/read", { uri: "a:" })).toMatchObject({ ttlMs: 7, cacheScope: "public" });
    expect(await client.result("resources/read", { uri: "t:1" })).toMatchObject({ ttlMs: 9, cacheScope: "private" });
    for (const ttlMs of [-1, 0.5, NaN, Infinity]) {
      expect(() => resource({ uri: "b:", name: "b", cache: { ttlMs }, read: () => "b" })).toThrow(TypeError);
    }
  });

  test("ERR-06 ERR-07 ERR-08 have the error codes of this era: a missing resource is an invalid parameter", async () => {
    const client = modern();
    expect(await client.error("resources/read", { uri: "sample://nope" })).toEqual({
      code: -32602,
      message: expect.any(String),
      data: { uri: "sample://nope" },
    });
    expect(await client.error("tools/call", { name: "nope" })).toMatchObject({ code: -32602 });
    expect(await client.error("prompts/get", { name: "nope" })).toMatchObject({ code: -32602 });
    expect(await client.error("tools/list", { cursor: "nope" })).toMatchObject({ code: -32602 });
    expect(await client.failure("echo", { message: 7 })).toContain("message");
  });
});

describe("remembers nothing", () => {
  test("META-11 META-12 META-13 takes the client's capabilities from each request", async () => {
    const client = modern();
    const withForms = { _meta: { [CAPABILITIES]: { elicitation: { form: {} } } } };
    const params = { name: "ask", arguments: { message: "Sure?" } };
    for (let time = 0; time < 2; time++) {
      expect(await client.result("tools/call", { ...params, ...withForms })).toMatchObject({ resultType: "input_required" });
      expect(await client.error("tools/call", params)).toEqual({
        code: -32021,
        message: expect.any(String),
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      });
    }
  });

  test("LOG-10 LOG-11 logs only for requests that ask for it, from their level on", async () => {
    const client = modern();
    const levels = async (meta?: Json): Promise<unknown[]> => {
      const before = client.received.length;
      await client.replyText("log", { data: "x" }, meta);
      return client.received
        .slice(before)
        .flatMap(({ method, params }) => (method === "notifications/message" ? [(params as Json)["level"]] : []));
    };
    expect(await levels({ [LOG_LEVEL]: "warning" })).toEqual(["warning", "error"]);
    expect(await levels()).toEqual([]);
    expect(await levels({ [LOG_LEVEL]: "debug" })).toEqual(["debug", "info", "notice", "warning", "error"]);
    expect(await levels({ [LOG_LEVEL]: "emergency" })).toEqual([]);
  });

  test("PROG-13 reports progress only to requests that ask for it", async () => {
    const client = modern();
    await client.replyText("progress", { steps: [1] }, { progressToken: "p" });
    await client.replyText("progress", { steps: [1] });
    expect(client.heard("notifications/progress")).toEqual([{ progressToken: "p", progress: 1, message: "step 1" }]);
  });

  test("SESS-15 TOOL-07 PROMPT-16 RES-25 JSON-23 returns the same lists to every client, on every connection, after any earlier request", async () => {
    const endpoint = new Runtime(sampleServer({ followsRoots: true }));
    const connect = (): ((message: Json) => Promise<unknown>) => {
      const answers = new Map<unknown, (answer: Json) => void>();
      const take = (text: string | undefined): void => {
        const answer = JSON.parse(text ?? "{}") as Json;
        answers.get(answer["id"])?.(answer);
      };
      const connection = new Connection(endpoint, { complete: take, notify: take, refuse: () => undefined });
      return (message) =>
        new Promise((resolve) => {
          answers.set(message["id"], ({ result }) => resolve(result));
          connection.receive(JSON.stringify(message));
        });
    };
    const lists = async (send: (message: Json) => Promise<unknown>, round: string, capabilities?: Json): Promise<unknown[]> => {
      const found = [];
      for (const method of CACHEABLE.filter((one) => one.endsWith("/list"))) {
        found.push(await send(asks(method, {}, { id: `${round} ${method}`, ...(capabilities && { capabilities }) })));
      }
      return found;
    };
    const [one, other] = [connect(), connect()];
    const first = await lists(one, "1");
    expect(await lists(one, "2", ABLE)).toEqual(first);
    await one({
      jsonrpc: "2.0",
      id: "i",
      method: "initialize",
      params: { protocolVersion: "2024-11-05", capabilities: ABLE, clientInfo: INFO },
    });
    await one(asks("tools/call", { name: "touch", arguments: { uri: "sample://text" } }, { id: "c" }));
    expect(await lists(one, "3")).toEqual(first);
    expect(await lists(other, "4")).toEqual(first);
    await endpoint.close();
  });
});

test("MRTR-01 refuses client requests of lists and completion", async () => {
  const tried: unknown[] = [];
  const asking = async (ctx: unknown): Promise<never[]> => {
    await (ctx as InteractiveContext).sample({ messages: [], maxTokens: 1 }).catch((error: unknown) => tried.push(String(error)));
    await (ctx as InteractiveContext).roots().catch((error: unknown) => tried.push(String(error)));
    return [];
  };
  const rows = [template({ uri: "x:{a}", name: "x", list: asking, complete: { a: (_typed, ctx) => asking(ctx) }, read: () => "x" })];
  const client = modern(defineServer({ name: "s", version: "1", resources: rows }), ABLE);
  expect(await client.result("resources/list")).toMatchObject({ resultType: "complete", resources: [] });
  const completing = { ref: { type: "ref/resource", uri: "x:{a}" }, argument: { name: "a", value: "" } };
  expect(await client.result("completion/complete", completing)).toMatchObject({ resultType: "complete" });
  expect(tried).toHaveLength(4);
  // Parameters of input requests are ignored here.
  for (const method of ["resources/list", "completion/complete"]) {
    const given = { ...(method.startsWith("c") && completing), requestState: "x", inputResponses: 7 };
    expect(await client.result(method, given)).toMatchObject({ resultType: "complete" });
  }
});
