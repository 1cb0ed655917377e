// The view's side of the protocol (@oarlock/server-kit/view) with a scripted host.
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { launchBrowser, SLOW } from "../src/harness/browser.ts";
import { invalidMessages } from "../src/harness/message-schema.ts";
import { startScriptedHost, type ScriptedHost } from "./support/scripted-host.ts";

vi.setConfig(SLOW);

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const ABLE = {
  hostCapabilities: { openLinks: {}, downloadFile: {}, serverTools: {}, updateModelContext: { text: {} } },
  hostContext: { theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"] },
};
const connected = (greeting: object = ABLE): Promise<ScriptedHost> => startScriptedHost(browser, greeting);

/** Starts a request of the view; gives what it comes to, and the message that was sent. */
async function during(host: ScriptedHost, request: string, method: string, answer: object): Promise<unknown> {
  const done = host.frame.evaluate(
    `(async () => { try { return await view.host.${request}; } catch (error) { return "rejected: " + error.message; } })()`,
  );
  const { id } = await host.waitFor(method);
  await host.post({ jsonrpc: "2.0", id, ...answer });
  return await done;
}

describe("connecting", () => {
  test("greets the host, then announces that it is ready, then its size", async () => {
    await using host = await connected();
    await host.frame.evaluate("document.body.append(Object.assign(document.createElement('div'), { style: 'height: 77px' }))");
    await host.page.waitForFunction("sent.at(-1).params?.height === 77");
    const messages = await host.sent();
    expect(messages.map(({ method }) => method).slice(0, 2)).toEqual(["ui/initialize", "ui/notifications/initialized"]);
    expect(messages[0]?.params).toMatchObject({ protocolVersion: "2026-01-26", appInfo: { name: "test", version: "1.0.0" } });
    expect(messages.at(-1)).toMatchObject({ method: "ui/notifications/size-changed", params: { height: 77 } });
    expect(invalidMessages(messages)).toEqual([]);
  });

  test("gives up after three seconds without an answer", async () => {
    await using host = await startScriptedHost(browser);
    await host.frame.waitForFunction("view.host !== undefined");
    expect(await host.frame.evaluate("view.host.connected")).toBe(false);
    expect(await host.frame.evaluate("view.host.openLink('https://example.com')")).toBe(false);
    expect(await host.frame.evaluate("view.host.callTool('x', {}).catch((error) => error.message)")).toBe("No host is connected.");
    expect((await host.sent()).map(({ method }) => method)).toEqual(["ui/initialize"]);
  });

  test("connects when the host answers after three seconds", async () => {
    await using host = await startScriptedHost(browser);
    const { id } = await host.waitFor("ui/initialize");
    await host.frame.waitForFunction("view.host?.connected === false");
    await host.post({ jsonrpc: "2.0", id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, ...ABLE } });
    await host.waitFor("ui/notifications/initialized");
    expect(await host.frame.evaluate("[view.host.connected, view.host.capabilities, view.host.context]")).toEqual([
      true,
      ABLE.hostCapabilities,
      ABLE.hostContext,
    ]);
    expect(await during(host, "callTool('x', {})", "tools/call", { result: { content: [] } })).toEqual({ content: [] });
  });

  test("gives up when the host refuses", async () => {
    await using host = await startScriptedHost(browser);
    const { id } = await host.waitFor("ui/initialize");
    await host.post({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
    await host.frame.waitForFunction("view.host?.connected === false");
    expect((await host.sent()).length).toBe(1);
  });
});

describe("messages of the host", () => {
  test("reach the page in order", async () => {
    await using host = await connected({ hostCapabilities: {}, hostContext: { theme: "light", locale: "de" } });
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { path: "a" } } });
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } });
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { theme: "dark" } });
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "stopped" } });
    await host.frame.waitForFunction("view.events.length === 5");
    expect(await host.frame.evaluate("view.events")).toEqual([
      ["context", { theme: "light", locale: "de" }],
      ["input", { path: "a" }],
      ["result", { content: [] }],
      ["context", { theme: "dark", locale: "de" }],
      ["cancelled", "stopped"],
    ]);
    expect(await host.frame.evaluate("[document.documentElement.dataset.theme, document.documentElement.style.colorScheme]")).toEqual([
      "dark",
      "dark",
    ]);
  });

  test("replace the style variables: those of the theme before are removed", async () => {
    const styled = (variables: object) => ({ styles: { variables } });
    await using host = await connected({ hostCapabilities: {}, hostContext: styled({ "--color-a": "red", "--color-b": "red" }) });
    const values = "['--color-a', '--color-b'].map((name) => document.documentElement.style.getPropertyValue(name))";
    expect(await host.frame.evaluate(values)).toEqual(["red", "red"]);
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: styled({ "--color-b": "blue" }) });
    await host.frame.waitForFunction("view.events.length === 2");
    expect(await host.frame.evaluate(values)).toEqual(["", "blue"]);
    await host.post({ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { theme: "light" } });
    await host.frame.waitForFunction("view.events.length === 3");
    expect(await host.frame.evaluate(values)).toEqual(["", "blue"]);
  });

  test("are ignored when they are from another window, or not of JSON-RPC", async () => {
    await using host = await connected();
    await host.frame.evaluate(`postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } }, "*")`);
    await host.post({ method: "ui/notifications/tool-result", params: { content: [] } });
    await host.post([1]);
    await host.post({ jsonrpc: "2.0", id: 99, result: {} });
    await host.post({ jsonrpc: "2.0", id: "p", method: "ping" });
    await host.page.waitForFunction("sent.some(({ id }) => id === 'p')");
    expect(await host.frame.evaluate("view.events.filter(([kind]) => kind === 'result')")).toEqual([]);
  });

  test("are answered when they are requests: ping, teardown once the page is done, an error for the unknown", async () => {
    await using host = await connected();
    await host.post({ jsonrpc: "2.0", id: "t", method: "ui/resource-teardown", params: {} });
    await host.post({ jsonrpc: "2.0", id: "p", method: "ping" });
    await host.post({ jsonrpc: "2.0", id: "u", method: "ui/unknown" });
    await host.page.waitForFunction("sent.filter(({ method }) => method === undefined).length === 3");
    const answers = (await host.sent()).filter(({ method }) => method === undefined);
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "p", result: {} });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "u", error: { code: -32601, message: "Method not found" } });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "t", result: {} });
    expect(await host.frame.evaluate("view.events.at(-1)")).toEqual(["teardown"]);
  });
});

describe("requests of the page", () => {
  const FILE = "{ name: 'rows 1.csv', mimeType: 'text/csv', text: 'a' }";
  const YES = { result: {} };
  const REFUSALS = [{ error: { code: -32000, message: "denied" } }, { result: { isError: true } }];

  test.each([
    ["openLink('https://example.com/')", "ui/open-link"],
    [`download(${FILE})`, "ui/download-file"],
    ["updateModelContext('rows 1 to 20')", "ui/update-model-context"],
  ])("%s is true when the host does it, and false when it refuses", async (request, method) => {
    for (const [answer, expected] of [[YES, true] as const, ...REFUSALS.map((refusal) => [refusal, false] as const)]) {
      await using host = await connected();
      expect(await during(host, request, method, answer)).toBe(expected);
      expect(invalidMessages(await host.sent())).toEqual([]);
    }
  });

  test("are not sent to a host that does not offer them", async () => {
    await using host = await connected({ hostCapabilities: {}, hostContext: {} });
    for (const request of ["openLink('https://example.com/')", `download(${FILE})`, "updateModelContext('x')"])
      expect(await host.frame.evaluate(`view.host.${request}`)).toBe(false);
    expect(await host.frame.evaluate("view.host.requestDisplayMode('fullscreen')")).toBe("inline");
    const methods = (await host.sent()).map(({ method }) => method);
    expect(methods.filter((method) => method !== "ui/notifications/size-changed")).toEqual([
      "ui/initialize",
      "ui/notifications/initialized",
    ]);
  });

  test("call tools: the result comes back, a refusal rejects", async () => {
    await using host = await connected();
    const result = { content: [{ type: "text", text: "ok" }] };
    expect(await during(host, "callTool('view_rows', { page: 2 })", "tools/call", { result })).toEqual(result);
    expect((await host.waitFor("tools/call")).params).toEqual({ name: "view_rows", arguments: { page: 2 } });
    await using other = await connected();
    expect(await during(other, "callTool('x', {})", "tools/call", REFUSALS[0] ?? {})).toBe("rejected: denied");
  });

  test("ask for a display mode, and take the one that the host chose", async () => {
    await using host = await connected();
    expect(await during(host, "requestDisplayMode('fullscreen')", "ui/request-display-mode", { result: { mode: "inline" } })).toBe(
      "inline",
    );
  });
});
