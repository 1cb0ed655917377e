// Extensions: declared, gated by revision and client, with methods, filters, result types and headers of their own.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { additionOf } from "../../../src/extension.ts";
import {
  defineServer,
  invalidParams,
  tool,
  type Extension,
  type Server,
  type ToolAddition,
  type ToolDefinition,
} from "../../../src/index.ts";
import { serveHttp, type HttpServer } from "../../../src/node.ts";
import { REVISIONS, type Json } from "../../../src/protocol.ts";
import { ModernTalk } from "../../support/modern-talk.ts";
import { asks, posting, type As } from "../../support/stateless-message.ts";
import { talk } from "../../support/talk.ts";

const LOOKUP = "com.example/lookup";
const BELL = "com.example/bell";
const AWARE = { extensions: { [LOOKUP]: { depth: 2 } } };

let ring: () => void = () => undefined;
let closed = 0;

const lookup: Extension = {
  id: LOOKUP,
  since: "2026-07-28",
  settings: { languages: ["en"] },
  requiresClient: true,
  start: () => ({
    methods: {
      "lookup/define": { nameMember: "word", run: ({ word }) => ({ resultType: "definition", definition: `about ${String(word)}` }) },
    },
    filters: {
      bells: {
        check(value) {
          if (!Array.isArray(value)) throw invalidParams("notifications.bells: expected a list");
        },
        async open(value, _ctx, notify) {
          ring = () => notify("notifications/bell", { sound: "ding" });
          ring(); // before the acknowledgement
          return { accepted: (value as string[]).filter((name) => name === "known"), close: () => void closed++ };
        },
      },
    },
    handlers: {
      "tools/call": (next) => ({ ...next, run: async (params, ctx) => ({ ...(await next.run(params, ctx)), _meta: { seen: true } }) }),
    },
  }),
};

const bell: Extension = { id: BELL, since: "2025-06-18" };

const newServer = (extensions: readonly Extension[] = [lookup, bell]): Server =>
  defineServer({
    name: "words",
    version: "1.0.0",
    tools: [tool({ name: "ask", run: (_input, ctx) => JSON.stringify(ctx.client.extension(LOOKUP) ?? null) })],
    extensions,
  });

const extensionsOf = (greeting: Json): unknown => (greeting["capabilities"] as Json)["extensions"];

describe("declaration", () => {
  const seen: Record<string, unknown> = {
    "2026-07-28": { [LOOKUP]: { languages: ["en"] }, [BELL]: {} },
    "2025-11-25": { [BELL]: {} },
    "2025-06-18": { [BELL]: {} },
  };

  test.each(REVISIONS)("shows for %s the extensions that this revision may have", async (revision) => {
    if (revision === REVISIONS[0]) {
      await using client = new ModernTalk(newServer());
      return expect(extensionsOf(await client.result("server/discover"))).toEqual(seen[revision]);
    }
    await using client = await talk(newServer(), { revision });
    expect(extensionsOf(client.greeting)).toEqual(seen[revision]);
  });

  test("is absent from a server without extensions", async () => {
    await using client = new ModernTalk(newServer([]));
    expect(extensionsOf(await client.result("server/discover"))).toBeUndefined();
    expect(await client.error("lookup/define", { word: "oar" })).toMatchObject({ code: -32601 });
  });

  test("prefers an extension of the start to one of the definition", async () => {
    await using client = new ModernTalk(newServer(), { extensions: [{ ...bell, settings: { loud: true } }] });
    expect(extensionsOf(await client.result("server/discover"))).toMatchObject({ [BELL]: { loud: true } });
  });

  test.each(["bell", "com.example/", "/bell", "a/b/c", "com example/bell"])("EXT-01 refuses the id %j", (id) => {
    expect(() => new ModernTalk(newServer([{ id, since: "2026-07-28" }]))).toThrow(/Extension id/);
  });

  test("refuses a method that exists", () => {
    const wrong: Extension = { id: BELL, since: "2026-07-28", start: () => ({ methods: { "tools/list": { run: () => ({}) } } }) };
    expect(() => new ModernTalk(newServer([wrong]))).toThrow("tools/list exists already");
  });
});

describe("a tool", () => {
  const added = { extension: LOOKUP, value: { depth: 2 } };
  const named = (...extensions: ToolAddition[]): ToolDefinition => tool({ name: "search", extensions, run: () => "found" });
  const serve = (tools: ToolDefinition[], extensions: Extension[]): Server =>
    defineServer({ name: "words", version: "1.0.0", tools, extensions });

  test("carries what an extension has added", () => {
    expect([additionOf(named(added), LOOKUP), additionOf(named(added), BELL)]).toEqual([{ depth: 2 }, undefined]);
  });

  test("refuses two additions of one extension", () => {
    expect(() => named(added, added)).toThrow('tool "search" has two additions of the extension com.example/lookup.');
  });

  test("works without an extension that it does not require", async () => {
    await using client = new ModernTalk(serve([named(added)], []));
    expect(await client.call("search")).toMatchObject({ content: [{ text: "found" }] });
  });

  test("is refused without an extension that it requires", () => {
    const message = 'Tool "search" needs the extension com.example/lookup, which the server does not have. Pass lookup().';
    expect(() => serve([named({ ...added, requires: "Pass lookup()." })], [bell])).toThrow(message);
  });

  test("is refused by the check of an extension", () => {
    const checkTool = (checked: ToolDefinition): void => {
      if (additionOf(checked, BELL) !== undefined) throw new TypeError(`${checked.name} rings`);
    };
    const server = serve([named(added)], [{ ...bell, checkTool }]);
    expect(() => server.tools.add(tool({ name: "ring", extensions: [{ extension: BELL, value: 1 }], run: () => "" }))).toThrow(
      "ring rings",
    );
  });

  test.each([
    [undefined, "Unknown tool: serch. Did you mean search?"],
    [false, "Unknown tool: serch"],
  ])("with isForModels %s: a call of a misspelled name gets %j", async (isForModels, message) => {
    const addition: ToolAddition = isForModels === undefined ? added : { ...added, isForModels };
    await using client = new ModernTalk(serve([named(addition)], []));
    expect(await client.error("tools/call", { name: "serch", arguments: {} })).toMatchObject({ message });
  });
});

describe("a client", () => {
  test("gets the result of a method, with the result type of the extension", async () => {
    await using client = new ModernTalk(newServer(), { capabilities: AWARE });
    expect(await client.result("lookup/define", { word: "oar" })).toMatchObject({ resultType: "definition", definition: "about oar" });
  });

  test("gets error -32021 with the missing capability when it did not declare the extension", async () => {
    await using client = new ModernTalk(newServer(), { capabilities: { extensions: { [BELL]: {} } } });
    expect(await client.error("lookup/define", { word: "oar" })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [LOOKUP]: {} } } },
    });
  });

  test.each([
    ["declared", AWARE, '{"depth":2}'],
    ["not declared", {}, "null"],
    ["declared as true", { extensions: { [LOOKUP]: true } }, "null"],
    ["declared in no object", { extensions: [LOOKUP] }, "null"],
  ])("%s: reads ctx.client.extension as %j", async (_title, capabilities, expected) => {
    await using client = new ModernTalk(newServer(), { capabilities });
    const { content } = await client.call("ask");
    expect((content as Json[])[0]).toMatchObject({ text: expected });
  });

  test.each(REVISIONS.slice(1))("of %s sees nothing of an extension of a newer revision", async (revision) => {
    await using client = await talk(newServer(), { revision, capabilities: AWARE });
    expect(await client.error("lookup/define", { word: "oar" })).toMatchObject({ code: -32601 });
    expect(await client.call("ask")).toEqual({ content: [{ type: "text", text: "null" }] });
  });

  test("subscribes to a filter of the extension, whose notifications follow the acknowledgement", async () => {
    await using client = new ModernTalk(newServer(), { capabilities: AWARE });
    const id = client.begin("subscriptions/listen", { notifications: { toolsListChanged: true, bells: ["known", "other"] } });
    const acknowledgement = await client.until(({ method }) => method === "notifications/subscriptions/acknowledged");
    expect(acknowledgement["params"]).toMatchObject({ notifications: { toolsListChanged: true, bells: ["known"] } });
    ring();
    await client.until(() => client.heard("notifications/bell").length === 2);
    expect(client.newsOf(id).map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/bell",
      "notifications/bell",
    ]);
    const before = closed;
    client.note("notifications/cancelled", { requestId: id });
    await expect.poll(() => closed).toBe(before + 1);
  });

  test("gets error -32602 for an invalid filter value", async () => {
    await using client = new ModernTalk(newServer(), { capabilities: AWARE });
    expect(await client.error("subscriptions/listen", { notifications: { bells: 1 } })).toMatchObject({ code: -32602 });
  });

  test("cannot use a filter of an extension without declaring it", async () => {
    await using client = new ModernTalk(newServer());
    expect(await client.error("subscriptions/listen", { notifications: { bells: [] } })).toMatchObject({ code: -32021 });
  });
});

describe("over HTTP", () => {
  let http: HttpServer;
  beforeEach(async () => {
    http = await serveHttp(newServer(), { port: 0 });
  });
  afterEach(() => http.stop());

  async function send(params: Json, as: As): Promise<{ status: number; body: Json }> {
    const { headers, body = "" } = posting(asks("lookup/define", params, as), as);
    const response = await fetch(http.url, { method: "POST", headers: headers as Record<string, string>, body: String(body) });
    return { status: response.status, body: (await response.json()) as Json };
  }

  test("repeats in the header Mcp-Name the member that the method names", async () => {
    const { status, body } = await send({ word: "oar" }, { capabilities: AWARE, headers: { "mcp-name": "oar" } });
    expect([status, body]).toMatchObject([200, { result: { definition: "about oar" } }]);
  });

  test.each([{ "mcp-name": "paddle" }, {}])("refuses %j with error -32020 and status 400", async (headers) => {
    const { status, body } = await send({ word: "oar" }, { capabilities: AWARE, headers });
    expect([status, body]).toMatchObject([400, { error: { code: -32020 } }]);
  });

  test("answers a client without the extension with status 400", async () => {
    const { status, body } = await send({ word: "oar" }, { headers: { "mcp-name": "oar" } });
    expect([status, body]).toMatchObject([400, { error: { code: -32021 } }]);
  });
});
