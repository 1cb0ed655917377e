// A page with a scripted host: shows a page that uses the view's side of the protocol, and lets a test send and read every message.
import { fileURLToPath } from "node:url";
import type { Browser, Frame, Page } from "puppeteer-core";
import { browserScript } from "../../../build/views.ts";

export interface ScriptedHost extends AsyncDisposable {
  readonly page: Page;
  readonly frame: Frame;
  /** What the view has sent so far. */
  sent(): Promise<Message[]>;
  /** The first message of the view with this method, also a later one. */
  waitFor(method: string, at?: number): Promise<Message>;
  /** Sends a message to the view. */
  post(message: object): Promise<void>;
}

export interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number };
}

let script: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { code } = await browserScript(fileURLToPath(new URL("../../src/page/test-view.ts", import.meta.url)));
  return code;
}

const HOST = `<!doctype html><title>Host</title><script>
  window.sent = [];
  addEventListener("message", ({ data, source }) => { if (source === document.querySelector("iframe").contentWindow) sent.push(data); });
</script><iframe title="view" sandbox="allow-scripts"></iframe>`;

/** `greeting`: the answer to `ui/initialize`, besides version and name. Default: the host is silent. */
export async function startScriptedHost(browser: Browser, greeting?: object): Promise<ScriptedHost> {
  script ??= bundle();
  const html = `<!doctype html><html lang="en"><title>View</title><body style="margin:0"><script type="module">${await script}</script>`;
  const page = await browser.newPage();
  await page.setContent(HOST);
  await page.evaluate(`document.querySelector("iframe").srcdoc = ${JSON.stringify(html)}`);
  const frame = await page.waitForFrame((frame) => frame.url() === "about:srcdoc");
  const post = async (message: object): Promise<void> => {
    await page.evaluate(`document.querySelector("iframe").contentWindow.postMessage(${JSON.stringify(message)}, "*")`);
  };
  const sent = async (): Promise<Message[]> => (await page.evaluate("sent")) as Message[];
  const waitFor = async (method: string, at = 0): Promise<Message> => {
    await page.waitForFunction(`sent.filter((message) => message.method === ${JSON.stringify(method)}).length > ${at}`);
    const found = (await sent()).filter((message) => message.method === method)[at];
    if (found === undefined) throw new Error(`${method} was not sent`);
    return found;
  };
  if (greeting !== undefined) {
    const { id } = await waitFor("ui/initialize");
    await post({ jsonrpc: "2.0", id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, ...greeting } });
    await waitFor("ui/notifications/initialized");
  }
  return { page, frame, sent, waitFor, post, [Symbol.asyncDispose]: () => page.close() };
}
