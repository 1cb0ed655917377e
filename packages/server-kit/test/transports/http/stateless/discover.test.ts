// What a modern server says of itself, what stands on each of its results, and what an envelope may hold besides.
import { afterEach, expect, test } from "vitest";
import { defineServer, prompt, resource, template, tool, type Cache, type ServerSpec } from "../../../../src/index.ts";
import { REVISIONS, type Json } from "../../../../src/protocol.ts";
import { overBoth, type Place } from "../../../support/stateless-faces.ts";
import { CLIENT_INFO, SERVER_INFO } from "../../../support/stateless-message.ts";
import { BOARD, stockShop } from "../../../support/stateless-shop.ts";

const INFO = { name: "shop", version: "1.0.0" };
const IDENTITY = { [SERVER_INFO]: INFO };

overBoth("discovery", (face) => {
  let place: Place;
  const open = async (spec?: Partial<ServerSpec>): Promise<void> => void (place = await face.open(stockShop(spec).server));
  afterEach(() => place.stop());

  test("DISC-01 DISC-02 DISC-03 DISC-04 DISC-05 META-14 returns the whole result", async () => {
    await open();
    expect(await place.result("server/discover")).toEqual({
      resultType: "complete",
      supportedVersions: REVISIONS,
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
      },
      instructions: "Ask for the shopkeeper.",
      ttlMs: 60_000,
      cacheScope: "public",
      _meta: IDENTITY,
    });
  });

  test("DISC-04 puts the server's information in _meta; instructions are optional", async () => {
    const info = {
      ...INFO,
      title: "The shop",
      description: "Sells",
      websiteUrl: "https://shop.example",
      icons: [{ src: "https://shop.example/i.png" }],
    };
    place = await face.open(defineServer({ ...info, tools: [] }));
    const result = await place.result("server/discover");
    expect([result._meta, Object.keys(result)]).toEqual([
      { [SERVER_INFO]: info },
      expect.not.arrayContaining(["instructions", "serverInfo"]),
    ]);
  });

  const read = () => "";
  const complete = { x: () => ["x"] };
  test.each<[what: string, spec: Partial<ServerSpec>, capabilities: Json]>([
    ["nothing", {}, {}],
    ["tools", { tools: [] }, { tools: { listChanged: true } }],
    ["prompts", { prompts: [] }, { prompts: { listChanged: true } }],
    ["resources", { resources: [resource({ uri: "a://a", name: "a", read })] }, { resources: { listChanged: true } }],
    [
      "resources to watch",
      { resources: [resource({ uri: "a://a", name: "a", read, watch: () => () => undefined })] },
      { resources: { subscribe: true, listChanged: true } },
    ],
    [
      "completion",
      { resources: [template({ uri: "a://{x}", name: "a", read, complete })] },
      { resources: { listChanged: true }, completions: {} },
    ],
    [
      "everything",
      { tools: [], prompts: [prompt({ name: "p", get: () => "" })], resources: [] },
      { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } },
    ],
  ])("DISC-06 RT-04 lists the capabilities whose methods answer, and refuses the others: %s", async (_what, spec, capabilities) => {
    place = await face.open(defineServer({ ...INFO, ...spec }));
    expect((await place.result("server/discover")).capabilities).toEqual({ logging: {}, ...capabilities });
    const methods: [string, string, Json][] = [
      ["tools", "tools/list", {}],
      ["tools", "tools/call", { name: "x" }],
      ["prompts", "prompts/list", {}],
      ["prompts", "prompts/get", { name: "x" }],
      ["resources", "resources/list", {}],
      ["resources", "resources/templates/list", {}],
      ["resources", "resources/read", { uri: "x" }],
      ["completions", "completion/complete", { ref: { type: "ref/resource", uri: "a://{x}" }, argument: { name: "x", value: "" } }],
    ];
    for (const [key, method, params] of methods) {
      const answer = await place.request(method, params);
      expect([answer.status, ((await answer.json()).error as Json | undefined)?.code === -32601], method).toEqual(
        key in capabilities ? [200, false] : [404, true],
      );
    }
  });

  test("RT-01 META-14 completes every result and names the server, without a discovery before it", async () => {
    await open();
    const asked: [string, Json][] = [
      ["tools/list", {}],
      ["prompts/list", {}],
      ["resources/list", {}],
      ["resources/templates/list", {}],
      ["resources/read", { uri: BOARD }],
      ["tools/call", { name: "echo", arguments: { message: "x" } }],
      ["tools/call", { name: "echo", arguments: {} }], // a fault that the model reads
    ];
    for (const [method, params] of asked)
      expect(await place.result(method, params), method).toMatchObject({ resultType: "complete", _meta: IDENTITY });
  });

  test("META-10 META-15 DISC-06 behaves the same for any client information", async () => {
    await open();
    const results = new Set<string>();
    for (const info of [
      undefined,
      { name: "c", version: "1" },
      { name: "", version: "" },
      { name: "Inspector", version: "99", title: "x", icons: 5 },
    ]) {
      results.add(
        JSON.stringify([
          await place.result("server/discover", {}, { meta: { [CLIENT_INFO]: info } }),
          await place.result("tools/list", {}, { meta: { [CLIENT_INFO]: info } }),
        ]),
      );
    }
    expect(results.size).toBe(1);
  });

  test.each<[what: string, meta: Json]>([
    [
      "a reserved key without a definition",
      { "io.modelcontextprotocol/moon": { any: "thing" }, "modelcontextprotocol.io/x": 1, "tools.mcp.com/y": null },
    ],
    ["keys of others", { "com.example/trace": [1, 2], plain: true }],
    ["trace context", { traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", tracestate: "a=1,b=2", baggage: "k=v" }],
    ["trace context that is none", { traceparent: "nonsense", tracestate: 5, baggage: null }],
    ["keys that objects have", { ["__proto__"]: { x: 1 }, constructor: 1, toString: 2 }],
  ])("META-01 META-16 META-17 META-18 accepts more in _meta: %s", async (_what, meta) => {
    await open();
    expect(await place.result("tools/call", { name: "echo", arguments: { message: "x" } }, { meta })).toMatchObject({
      content: [{ text: "x" }],
    });
  });

  test("META-11 accepts unknown capabilities", async () => {
    await open();
    const capabilities = { roots: { listChanged: true }, tasks: {}, extensions: { "com.example/x": {} }, moon: 1, experimental: {} };
    expect((await place.result("tools/list", {}, { capabilities })).resultType).toBe("complete");
  });
});

overBoth("caching", (face) => {
  let place: Place;
  afterEach(() => place.stop());
  const read = () => "text";
  const open = async (cache?: Cache, spec: Partial<ServerSpec> = {}): Promise<void> => {
    const server = defineServer({
      ...INFO,
      ...(cache !== undefined && { cache }),
      tools: ["a", "b", "c"].map((name) => tool({ name, run: () => "" })),
      prompts: ["a", "b", "c"].map((name) => prompt({ name, get: () => "" })),
      resources: [
        resource({ uri: "a://plain", name: "plain", read }),
        resource({ uri: "a://kept", name: "kept", read, cache: { ttlMs: 5000, scope: "public" } }),
        resource({ uri: "a://some", name: "some", read, cache: { ttlMs: 7 } }),
        template({ uri: "b://{x}", name: "b", read, cache: { scope: "public" } }),
        template({ uri: "c://{x}", name: "c", read }),
      ],
      ...spec,
    });
    place = await face.open(server);
  };
  const LISTS = ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"];
  const hints = ({ ttlMs, cacheScope }: Json): unknown[] => [ttlMs, cacheScope];

  test.each<[what: string, cache: Cache | undefined, hinted: unknown[]]>([
    ["a minute and shared, by default", undefined, [60_000, "public"]],
    ["as the author says", { ttlMs: 5, scope: "private" }, [5, "private"]],
    ["not at all", { ttlMs: 0 }, [0, "public"]],
  ])("CACHE-01 CACHE-02 CACHE-03 allows lists to be cached: %s", async (_what, cache, hinted) => {
    await open(cache);
    for (const method of LISTS) expect(hints(await place.result(method)), method).toEqual(hinted);
  });

  test("CACHE-01 CACHE-07 neither caches nor shares contents by default", async () => {
    await open();
    const asked = {
      "a://plain": [0, "private"],
      "a://kept": [5000, "public"],
      "a://some": [7, "private"],
      "b://x": [0, "public"],
      "c://x": [0, "private"],
    };
    for (const [uri, hinted] of Object.entries(asked)) expect(hints(await place.result("resources/read", { uri })), uri).toEqual(hinted);
  });

  test("CACHE-07 marks a list that depends on the caller as private", async () => {
    const listing = template({ uri: "c://{x}", name: "c", read, list: (ctx) => [{ uri: `c://${ctx.auth?.principal}`, name: "own" }] });
    await open(undefined, { resources: [listing] });
    expect(hints(await place.result("resources/list"))).toEqual([0, "private"]);
  });

  test.each(LISTS.slice(1))("CACHE-05 gives all pages of %s the same cache hints", async (method) => {
    await open({ ttlMs: 9, scope: "private" }, { pageSize: 1 });
    const seen: unknown[] = [];
    for (let cursor: unknown; ;) {
      const result = await place.result(method, cursor === undefined ? {} : { cursor });
      expect(hints(result)).toEqual([9, "private"]);
      seen.push(result);
      if (result.nextCursor === undefined) break;
      cursor = result.nextCursor;
    }
    expect(seen.length).toBeGreaterThan(1);
  });

  test("CACHE-01 gives other results no cache hints", async () => {
    await open();
    for (const [method, params] of [
      ["tools/call", { name: "a" }],
      ["prompts/get", { name: "a" }],
    ] as const) {
      expect(hints(await place.result(method, params)), method).toEqual([undefined, undefined]);
    }
  });

  test("CACHE-02 refuses a time to live that is not a whole number from 0 at definition", async () => {
    await open();
    for (const ttlMs of [-1, 0.5, NaN, Infinity]) {
      expect(() => resource({ uri: "a://x", name: "x", read, cache: { ttlMs } })).toThrow("cache.ttlMs");
      await expect(face.open(defineServer({ ...INFO, cache: { ttlMs } }))).rejects.toThrow("cache.ttlMs");
    }
  });
});
