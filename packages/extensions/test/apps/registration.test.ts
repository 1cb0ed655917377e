// Views and tools that a server refuses when they are registered.
import { describe, expect, test } from "vitest";
import { apps, view, ui } from "@oarlock/extensions/apps";
import { defineServer, tool, type ToolDefinition } from "@oarlock/server-kit";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";

const URI = "ui://shop/list.html";
const page = (body: string): string => `<!doctype html><html><head></head><body>${body}</body></html>`;
const shop = (html = page(""), csp?: object) => view({ uri: URI, html, ...(csp !== undefined && { csp }) });
const withUi = (toolUi: object): ToolDefinition => tool({ name: "list", extensions: [ui(toolUi)], run: () => "" });
const serve = (tools: ToolDefinition[]) => defineServer({ name: "shop", version: "1.0.0", tools, extensions: [apps({ views: [shop()] })] });

describe("a view is refused", () => {
  test.each(["https://shop/list.html", "ui:/shop/list.html", "ui://shop", "ui://shop/", "UI list", "ui://shop/a b.html", ""])(
    "with the address %j",
    (uri) => {
      expect(() => view({ uri, html: page("") })).toThrow(/is invalid: expected ui:\/\//);
    },
  );

  test("when its document is a fragment", () => {
    expect(() => shop("<p>hello</p>")).toThrow(/not a complete HTML document/);
  });

  test("when two have the same address", () => {
    expect(() => apps({ views: [shop(), shop()] })).toThrow(/Duplicate address/);
  });

  test.each([
    ["connectDomains", "https://api.example.com/path"],
    ["resourceDomains", "*.example.com"],
    ["frameDomains", "'unsafe-eval'"],
    ["connectDomains", "https://a.example; script-src *"],
  ])("with the entry %s %j, which is not an origin", (use, origin) => {
    expect(() => shop(page(""), { [use]: [origin] })).toThrow(/is not an origin/);
  });
});

const LOADS: [use: string, origin: string, body: string][] = [
  ["resourceDomains", "https://cdn.example.com", '<script src="https://cdn.example.com/a.js"></script>'],
  ["resourceDomains", "https://cdn.example.com", "<script type=module src=https://cdn.example.com/a.js></script>"],
  ["resourceDomains", "https://cdn.example.com", '<link rel="stylesheet" href="//cdn.example.com/a.css">'],
  ["resourceDomains", "https://cdn.example.com:8443", "<img alt='' src='https://cdn.example.com:8443/a.png'>"],
  ["resourceDomains", "https://cdn.example.com", "<style>p { background: url(https://cdn.example.com/a.png) }</style>"],
  ["resourceDomains", "https://cdn.example.com", '<style>@import "https://cdn.example.com/a.css";</style>'],
  ["resourceDomains", "https://cdn.example.com", '<script type="module">import a from "https://cdn.example.com/a.js";</script>'],
  ["resourceDomains", "https://cdn.example.com", "<script>import('https://cdn.example.com/a.js')</script>"],
  ["connectDomains", "https://api.example.com", "<script>fetch(`https://api.example.com/v1`)</script>"],
  ["connectDomains", "http://localhost:3000", '<script>fetch("http://localhost:3000/")</script>'],
  ["connectDomains", "wss://live.example.com", "<script>new WebSocket('wss://live.example.com')</script>"],
  ["connectDomains", "https://api.example.com", "<script>request.open('GET', 'https://api.example.com/')</script>"],
  ["frameDomains", "https://maps.example.com", '<iframe title="map" src="https://maps.example.com/"></iframe>'],
  ["baseUriDomains", "https://base.example.com", '<base target="_top" href="https://base.example.com/">'],
];

describe("a document that loads from another origin", () => {
  test.each(LOADS)("is refused without csp.%s %s: %s", (_use, origin, body) => {
    expect(() => shop(page(body))).toThrow(`loads from ${origin}, which is not declared`);
  });

  test.each(LOADS)("is accepted with csp.%s %s: %s", (use, origin, body) => {
    expect(() => shop(page(body), { [use]: [origin] })).not.toThrow();
  });

  test("is refused when the origin is declared for another use", () => {
    expect(() => shop(page("<script>fetch('https://a.example.com')</script>"), { resourceDomains: ["https://a.example.com"] })).toThrow(
      /csp\.connectDomains/,
    );
  });

  test.each([
    ["https://cdn.example.com", true],
    ["https://example.com", false],
    ["http://cdn.example.com", false],
    ["https://cdn.example.com.evil.org", false],
  ])("a wildcard covers %s: %s", (origin, isCovered) => {
    const declare = () => shop(page(`<img alt="" src="${origin}/a.png">`), { resourceDomains: ["https://*.example.com"] });
    if (isCovered) expect(declare).not.toThrow();
    else expect(declare).toThrow(/is not declared/);
  });

  test("is refused at its first read, where it is read late", async () => {
    const late = view({ uri: URI, html: async () => page('<script src="https://cdn.example.com/a.js"></script>') });
    await expect(late.contents()).rejects.toThrow(/https:\/\/cdn\.example\.com/);
    await expect(late.contents()).rejects.toThrow(/is not declared/);
  });

  test.each([
    '<a href="https://example.com">a link that a person opens</a>',
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "<script>const NAMESPACE = 'http://www.w3.org/2000/svg';</script>",
    '<img alt="" src="data:image/png;base64,AAAA">',
    "<!-- https://example.com/licence -->",
  ])("is not %s", (body) => {
    expect(() => shop(page(body))).not.toThrow();
  });
});

describe("a tool is refused", () => {
  test.each([
    [{ view: undefined }, "ui.view is undefined"],
    [{ view: "https://example.com" }, "is invalid: expected ui://"],
    [{ view: { uri: "file:///a.html" } }, "is invalid: expected ui://"],
    [{ view: shop(), visibility: [] }, "ui.visibility is invalid"],
    [{ view: shop(), visibility: ["user"] }, "ui.visibility is invalid"],
  ])("with ui %j", (toolUi, message) => {
    expect(() => withUi(toolUi)).toThrow(message);
  });

  test("when its view is not registered", () => {
    expect(() => serve([withUi({ view: "ui://shop/other.html" })])).toThrow('Tool "list" names the view ui://shop/other.html');
  });

  test("when the server has no views", () => {
    expect(() => defineServer({ name: "shop", version: "1.0.0", tools: [withUi({ view: URI })] })).toThrow(
      "needs the extension io.modelcontextprotocol/ui, which the server does not have. Pass defineServer extensions: [apps({ views })].",
    );
  });

  test("when it names a view twice", () => {
    const extensions = [ui({ view: URI }), ui({ view: URI })];
    expect(() => tool({ name: "list", extensions, run: () => "" })).toThrow('tool "list" has two additions');
  });

  test("when it is added to a running server", () => {
    const server = serve([withUi({ view: URI })]);
    expect(() => server.tools.add(tool({ name: "more", extensions: [ui({ view: "ui://shop/other.html" })], run: () => "" }))).toThrow(
      /does not have/,
    );
    expect(server.tools.size).toBe(1);
  });

  test("when it is loaded late: the list fails, and the log has the reason", async () => {
    const log: unknown[] = [];
    const server = defineServer({
      name: "shop",
      version: "1.0.0",
      extensions: [apps({ views: [shop()] })],
      lazy: { capabilities: { tools: { listChanged: true } }, load: async () => ({ tools: [withUi({ view: "ui://shop/other.html" })] }) },
    });
    await using client = new ModernTalk(server, { log: (_level, data) => log.push(data) });
    expect(await client.error("tools/list")).toMatchObject({ code: -32603 });
    expect(log.join("\n")).toContain("names the view ui://shop/other.html");
  });
});
