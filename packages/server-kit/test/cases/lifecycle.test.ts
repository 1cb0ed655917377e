// Handshake, order of messages and capabilities (requirements LIFE-*, PING-*, and what is refused where a capability is missing).
import { describe, expect, test } from "vitest";
import { defineServer, prompt, resource, type ServerSpec } from "../../src/index.ts";
import { REVISIONS, type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE, talk, Talk } from "../support/talk.ts";

const CLIENT = { name: "talk", version: "1" };
const params = (protocolVersion: unknown, more: Json = {}): Json => ({ protocolVersion, capabilities: {}, clientInfo: CLIENT, ...more });

describe("initialize", () => {
  test.each(STATEFUL)("LIFE-05 LIFE-09 LIFE-10 agrees on %s, with the features of that revision", async (revision) => {
    await using client = await talk(sampleServer(), { revision });
    const title = revision >= "2025-06-18" ? { title: "Sample server" } : {};
    const more = {
      description: "One of everything",
      websiteUrl: "https://sample.example/",
      icons: [{ src: "https://sample.example/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
    };
    expect(client.greeting).toEqual({
      protocolVersion: revision,
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        ...(revision >= "2025-03-26" && { completions: {} }),
      },
      serverInfo: { name: "sample", version: "1.2.3", ...title, ...(revision >= "2025-11-25" && more) },
      instructions: "Call echo.",
    });
  });

  test.each(["1999-01-01", "9999-01-01", "2026-07-28", "2025-11-26", "", "draft", "__proto__", "1.0"])(
    "LIFE-06 LIFE-07 offers the newest revision with a handshake for %j",
    async (revision) => {
      await using client = await talk(sampleServer(), { revision });
      expect(client.greeting["protocolVersion"]).toBe(STATEFUL[0]);
      expect(await client.replyText("echo", { message: "x" })).toBe("x");
    },
  );

  test("LIFE-18 is refused with -32602 in another shape, and may be repeated", async () => {
    await using client = new Talk(sampleServer());
    const wrong: Json[] = [
      {},
      params(undefined),
      params(20250618),
      params(null),
      params("2025-06-18", { capabilities: undefined }),
      params("2025-06-18", { capabilities: [] }),
      params("2025-06-18", { clientInfo: undefined }),
      params("2025-06-18", { clientInfo: { name: "x" } }),
      params("2025-06-18", { clientInfo: { name: 1, version: "1" } }),
    ];
    for (const one of wrong) expect.soft(await client.error("initialize", one)).toEqual({ code: -32602, message: expect.any(String) });
    expect(await client.error("tools/list")).toMatchObject({ code: -32602 });
    expect(await client.result("initialize", params("2025-06-18"))).toMatchObject({ protocolVersion: "2025-06-18" });
  });

  test("JSON-21 JSON-22 tolerates unknown members and capabilities", async () => {
    await using client = new Talk(sampleServer());
    const odd = {
      experimental: { x: {} },
      invented: { deep: [1] },
      roots: { listChanged: true, more: 1 },
      sampling: 7,
      elicitation: "yes",
      tasks: null,
    };
    const clientInfo = { ...CLIENT, title: "T", more: {} };
    expect(
      await client.result("initialize", params("2025-11-25", { capabilities: odd, clientInfo, extra: 1, _meta: { x: 1 } })),
    ).toMatchObject({
      protocolVersion: "2025-11-25",
    });
    client.note("notifications/initialized", { extra: 1 });
    const { result } = (await client.request("tools/call", {
      name: "echo",
      arguments: { message: "x", more: 1 },
      extra: 1,
      _meta: { y: 2 },
    })) as {
      result: unknown;
    };
    expect(result).toMatchObject({ content: [{ type: "text", text: "x" }, { text: expect.stringContaining('Unknown argument "more"') }] });
  });

  test("is refused a second time without effect", async () => {
    await using client = await talk(sampleServer(), { revision: "2024-11-05", capabilities: {} });
    expect(await client.error("initialize", params("2025-11-25", { capabilities: ABLE }))).toMatchObject({ code: -32600 });
    const { tools } = (await client.result("tools/list")) as { tools: Json[] };
    expect(tools.filter((one) => "annotations" in one || "title" in one)).toEqual([]);
    expect(await client.failure("ask")).toContain("client");
  });
});

describe("before initialize", () => {
  const methods = ["tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe", "prompts/list", "prompts/get"];

  test.each([...methods, "completion/complete", "logging/setLevel", "nope"])("LIFE-19 refuses %s", async (method) => {
    await using client = new Talk(sampleServer());
    const error = await client.error(method, { name: "echo", arguments: { message: "x" }, uri: "sample://text", level: "debug" });
    expect(error).toEqual({ code: -32602, message: expect.stringContaining("initialize") });
  });

  test("PING-04 answers a ping", async () => {
    await using client = new Talk(sampleServer());
    expect(await client.result("ping")).toEqual({});
  });

  test("LIFE-13 ignores notifications and responses, and sends nothing", async () => {
    await using client = new Talk(sampleServer());
    for (const method of ["initialized", "cancelled", "roots/list_changed", "nope"])
      client.note(`notifications/${method}`, { requestId: 1 });
    client.send({ jsonrpc: "2.0", id: 1, result: {} });
    await client.settled();
    expect(client.received).toHaveLength(1);
  });
});

describe("before initialized", () => {
  test("LIFE-13 sends only responses and log entries", async () => {
    const server = sampleServer({ followsRoots: true });
    await using client = await talk(server, { ready: false, capabilities: ABLE });
    expect(await client.result("logging/setLevel", { level: "debug" })).toEqual({});
    await client.result("resources/subscribe", { uri: "sample://text" });
    await client.replyText("log", { data: "x" });
    await client.replyText("touch", { uri: "sample://text" });
    await client.replyText("grow", { name: "early" });
    for (const name of ["ask", "ask_url", "sample", "roots"]) client.begin("tools/call", { name });
    await client.settled();
    const methods = new Set(client.received.flatMap(({ method }) => method ?? []));
    expect(methods).toEqual(new Set(["notifications/message"]));

    client.note("notifications/initialized");
    await client.replyText("touch", { uri: "sample://text" });
    await client.replyText("grow", { name: "grown" });
    await client.until(({ method }) => method === "notifications/resources/updated");
    for (const feature of ["tools", "resources", "prompts"]) expect(client.heard(`notifications/${feature}/list_changed`)).toHaveLength(1);
    expect(client.heard("roots/list").length).toBeGreaterThan(0);
  });

  test("ignores a second initialized", async () => {
    const answers = { "roots/list": () => ({ roots: [] }) };
    await using client = await talk(sampleServer({ followsRoots: true }), { capabilities: ABLE, answers });
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    client.note("notifications/initialized");
    client.note("notifications/initialized");
    await client.settled();
    await client.settled();
    expect(client.heard("roots/list")).toHaveLength(1);
    expect(client.heard("notifications/resources/list_changed")).toHaveLength(1);
  });
});

describe("PING-01 answers a ping with an empty result", () => {
  test.each(STATEFUL)("in %s, also while all slots are in use", async (revision) => {
    await using client = await talk(sampleServer({ limits: { concurrency: 1, queue: 1 } }), { revision });
    for (let at = 0; at < 3; at++) client.begin("tools/call", { name: "hang" });
    expect(await client.result("ping")).toEqual({});
    expect(await client.result("ping", { _meta: { progressToken: 1 } })).toEqual({});
  });
});

describe("LIFE-16 capabilities match methods", () => {
  const ALL = ["tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list", "prompts/get"];
  const WATCH = ["resources/subscribe", "resources/unsubscribe"];
  const rows: [string, Partial<ServerSpec>, Json, string[]][] = [
    ["nothing", {}, {}, []],
    ["TOOL-01 tools", { tools: [] }, { tools: { listChanged: true } }, ["tools/list", "tools/call"]],
    [
      "RES-01 resources",
      { resources: [resource({ uri: "a:b", name: "b", read: () => "" })] },
      { resources: { listChanged: true } },
      ALL.slice(2, 5),
    ],
    [
      "resources that can be watched",
      { resources: [resource({ uri: "a:b", name: "b", read: () => "", watch: () => () => undefined })] },
      { resources: { listChanged: true, subscribe: true } },
      [...ALL.slice(2, 5), ...WATCH],
    ],
    ["PROMPT-01 prompts", { prompts: [prompt({ name: "p", get: () => "" })] }, { prompts: { listChanged: true } }, ALL.slice(5)],
    [
      "COMP-01 prompts with completion",
      { prompts: [prompt({ name: "p", complete: { x: () => [] } as never, get: () => "" })] },
      { prompts: { listChanged: true }, completions: {} },
      [...ALL.slice(5), "completion/complete"],
    ],
  ];

  test.each(rows)("TOOL-44 RES-26 PROMPT-19 SUB-04 COMP-05 with %s", async (_title, spec, capabilities, methods) => {
    await using client = await talk(defineServer({ name: "x", version: "1", ...spec }));
    expect(client.greeting["capabilities"]).toEqual({ logging: {}, ...capabilities });
    for (const method of [...ALL, ...WATCH, "completion/complete"]) {
      const { error } = await client.request(method, {});
      const code = (error as Json | undefined)?.["code"];
      if (methods.includes(method)) expect.soft(code, method).not.toBe(-32601);
      else expect.soft(code, method).toBe(-32601);
    }
    expect(await client.result("logging/setLevel", { level: "debug" })).toEqual({});
  });

  test("COMP-11 serves completion in 2024-11-05, which has no capability for it", async () => {
    await using client = await talk(sampleServer(), { revision: "2024-11-05" });
    expect(client.greeting["capabilities"]).not.toHaveProperty("completions");
    expect(
      await client.result("completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } }),
    ).toEqual({ completion: { values: ["Ada"], total: 1, hasMore: false } });
  });
});

test("refuses to negotiate the newest revision in a handshake", () => {
  expect(REVISIONS[0]).toBe("2026-07-28");
  expect(STATEFUL).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
});
