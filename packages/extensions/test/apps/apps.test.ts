// MCP Apps: what clients with and without the extension see, in every revision.
import { describe, expect, test } from "vitest";
import { apps, showsViews, ui, view } from "@oarlock/extensions/apps";
import { defineServer, resource, tool, type Server } from "@oarlock/server-kit";
import { REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";
import { talk, type Talk } from "../../../server-kit/test/support/talk.ts";

const APPS = "io.modelcontextprotocol/ui";
const MIME = "text/html;profile=mcp-app";
const URI = "ui://clock/face.html";
const HTML = "<!doctype html><title>Clock</title>";
const HOST = { extensions: { [APPS]: { mimeTypes: [MIME] } } };

const face = (spec: object = {}) => view({ uri: URI, html: HTML, title: "Clock face", ...spec });
const readme = () => resource({ uri: "doc://readme", name: "readme", read: () => "text" });

/** The same server with views, or before it had some. */
function clock(isWithViews = true): Server {
  const now = face();
  const withView = tool({
    name: "now",
    title: "Time",
    meta: { "com.example/unit": "s" },
    ...(isWithViews && { extensions: [ui({ view: now })] }),
    run: (_input, ctx) => `shows apps: ${showsViews(ctx.client)}`,
  });
  const plain = tool({ name: "plain", run: () => "plain" });
  const refresh = tool({ name: "view_refresh", extensions: [ui({ visibility: ["app"] })], run: () => "refreshed" });
  return defineServer({
    name: "clock",
    version: "1.0.0",
    tools: [withView, ...(isWithViews ? [refresh] : []), plain],
    resources: [readme()],
    extensions: isWithViews ? [apps({ views: [now] })] : [],
  });
}

async function connect(server: Server, revision: string, capabilities: Json = {}): Promise<Talk> {
  return revision === REVISIONS[0] ? new ModernTalk(server, { capabilities }) : await talk(server, { revision, capabilities });
}

describe.each(REVISIONS)("%s, a client with the extension", (revision) => {
  test("sees the extension among the capabilities", async () => {
    await using client = await connect(clock(), revision, HOST);
    const { capabilities } = revision === REVISIONS[0] ? await client.result("server/discover") : client.greeting;
    expect((capabilities as Json)["extensions"]).toEqual({ [APPS]: {} });
  });

  test("sees the view of a tool under both keys, and the tools for views", async () => {
    await using client = await connect(clock(), revision, HOST);
    const { tools, cacheScope } = await client.result("tools/list");
    expect(tools).toMatchObject([
      { name: "now", _meta: { ui: { resourceUri: URI }, "ui/resourceUri": URI } },
      { name: "view_refresh", _meta: { ui: { visibility: ["app"] } } },
      { name: "plain" },
    ]);
    expect((tools as Json[])[1]?.["_meta"]).toEqual({ ui: { visibility: ["app"] } });
    expect((tools as Json[])[2]).not.toHaveProperty("_meta");
    expect(cacheScope).toBe(revision === REVISIONS[0] ? "private" : undefined);
  });

  test("finds the view in the list of resources and reads it", async () => {
    await using client = await connect(clock(), revision, HOST);
    const { resources } = await client.result("resources/list");
    const ui = { prefersBorder: true };
    expect(resources).toMatchObject([{ uri: "doc://readme" }, { uri: URI, name: "face.html", mimeType: MIME, _meta: { ui } }]);
    const { contents } = await client.result("resources/read", { uri: URI });
    expect(contents).toEqual([{ uri: URI, mimeType: MIME, text: HTML, _meta: { ui } }]);
  });

  test("is known to handlers, and calls the tools for views", async () => {
    await using client = await connect(clock(), revision, HOST);
    expect(await client.replyText("now")).toBe("shows apps: true");
    expect(await client.replyText("view_refresh")).toBe("refreshed");
  });
});

const VARIED = new Set(["tools/list", "resources/list"]);

describe.each(REVISIONS)("%s, a client without the extension", (revision) => {
  const requests: [string, Json][] = [
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["resources/read", { uri: "doc://readme" }],
    ["tools/call", { name: "now", arguments: {} }],
    ["tools/call", { name: "plain", arguments: {} }],
  ];
  const unaware = [{}, { extensions: { [APPS]: {} } }, { extensions: { [APPS]: { mimeTypes: ["text/html"] } } }];

  test.each(unaware)("%j: gets the replies of a server without views, byte by byte", async (capabilities) => {
    await using client = await connect(clock(), revision, capabilities);
    await using before = await connect(clock(false), revision, capabilities);
    for (const [method, params] of requests) {
      const result = await before.result(method, params);
      // Where results say who may share them, a list that others get with views is for this client alone.
      if (VARIED.has(method) && "cacheScope" in result) result["cacheScope"] = "private";
      expect(JSON.stringify(await client.result(method, params))).toBe(JSON.stringify(result));
    }
  });

  test("gets the greeting of a server without views", async () => {
    await using client = await connect(clock(), revision);
    await using before = await connect(clock(false), revision);
    expect(JSON.stringify(client.greeting)).toBe(JSON.stringify(before.greeting));
  });
});

test("one server gives clients with and without the extension their own lists, in any order", async () => {
  const server = clock();
  const counts = async (client: ModernTalk, capabilities: Json): Promise<number> => {
    const meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
    return ((await client.result("tools/list", { _meta: meta }))["tools"] as Json[]).length;
  };
  await using client = new ModernTalk(server);
  expect([await counts(client, {}), await counts(client, HOST), await counts(client, {}), await counts(client, HOST)]).toEqual([
    2, 3, 2, 3,
  ]);
});

test("a server without resources serves its views", async () => {
  await using client = new ModernTalk(defineServer({ name: "s", version: "1.0.0", extensions: [apps({ views: [face()] })] }), {
    capabilities: HOST,
  });
  expect(await client.result("resources/list")).toMatchObject({ resources: [{ uri: URI }], cacheScope: "private" });
});

test("the document is read when a host first asks for it, once, and again after a failure", async () => {
  let reads = 0;
  const html = async (): Promise<string> => {
    reads += 1;
    if (reads === 1) throw new Error("no file yet");
    return HTML;
  };
  const server = defineServer({ name: "s", version: "1.0.0", tools: [], extensions: [apps({ views: [face({ html })] })] });
  await using client = new ModernTalk(server, { capabilities: HOST });
  await client.result("resources/list");
  expect(reads).toBe(0);
  expect(await client.error("resources/read", { uri: URI })).toMatchObject({ code: -32603 });
  await client.result("resources/read", { uri: URI });
  await client.result("resources/read", { uri: URI });
  expect(reads).toBe(2);
});
