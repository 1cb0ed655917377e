// OpenView: a view in the browser, shown by a host from a real call.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Frame, Page } from "puppeteer-core";
import { invalidMessages } from "./message-schema.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Entries of tasks are kept by the browser from the beginning. */
const LONGEST_TASK = `new Promise((resolve) => {
  const timer = setTimeout(() => resolve(0), 200);
  new PerformanceObserver((list) => {
    clearTimeout(timer);
    resolve(Math.max(...list.getEntries().map(({ duration }) => duration)));
  }).observe({ type: "longtask", buffered: true });
})`;

const PATIENCE = { timeout: 60_000 };

/** A view that a host shows. */
export interface ShownView {
  readonly page: Page;
  readonly frame: Frame;
  /** Resolves when `<html data-state>` of the view has this value. */
  waitForState(state: "ready" | "empty" | "error"): Promise<void>;
  text(): Promise<string>;
  /** Clicks the control with exactly this accessible name. */
  click(name: string): Promise<void>;
  /** The view receives a message of the host, without the jsonrpc member. */
  receive(message: object): Promise<void>;
  waitForText(text: string): Promise<void>;
  /** Errors in the console, requests to other origins than loopback, messages that the schema refuses. */
  problems(): Promise<string[]>;
  /** Violations that axe finds in the view, one line each. */
  accessibilityViolations(): Promise<string[]>;
  /** By how many pixels the page of the view is wider than its frame. */
  overflow(): Promise<number>;
  calledTools(): Promise<string[]>;
  /** Answers an elicitation of the server, which the host shows as a dialog. */
  answer(button: "Accept" | "Decline"): Promise<void>;
  /** What the view has offered for download, linked to, and sent to the model. */
  probe(): Promise<Probe>;
  /** The longest task of the view so far that blocked it for 50 ms or more, in milliseconds; 0 for none. */
  longestTask(): Promise<number>;
}

/** The only view of a page. Disposing of it closes the page. */
export interface OpenView extends ShownView, AsyncDisposable {}

/** A host in the browser. */
export interface HostPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors in the console and requests to other origins than loopback so far. */
  readonly problems: readonly string[];
}

/** Opens the address of a host page and waits for the frame of the view. */
export async function openView(browser: Browser, url: string): Promise<OpenView> {
  const host = await openHost(browser, url);
  return { ...viewIn(host, await viewFrame(host.page)), [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

/** `loadsFromElsewhere`: the page of the host itself does, which is not the fault of the view. */
export async function openHost(browser: Browser, url: string, loadsFromElsewhere = false): Promise<HostPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const problems = watchProblems(page, loadsFromElsewhere);
  await page.goto(url, { waitUntil: "domcontentloaded" });
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

export function viewIn({ page, problems }: HostPage, frame: Frame): ShownView {
  const messages = async (): Promise<{ method?: string; params?: { name?: string } }[]> =>
    (await page.evaluate(() => (globalThis as unknown as { probe?: { messages: unknown[] } }).probe?.messages ?? [])) as never[];
  return {
    page,
    frame,
    async waitForState(state) {
      try {
        await frame.waitForSelector(`html[data-state="${state}"]`, PATIENCE);
      } catch (error) {
        const [is, text] = await frame
          .evaluate("[document.documentElement.dataset.state, document.body.innerText]")
          .then((found) => found as [string, string]);
        throw new Error(`The view is ${is}, not ${state}: ${text}\n${problems.join("\n")}`, { cause: error });
      }
    },
    text: async () => String(await frame.evaluate("document.body.innerText")),
    async click(name) {
      // A locator waits until the control no longer moves: the frame grows with its content.
      await frame.locator(`aria/${name}`).setTimeout(PATIENCE.timeout).click();
    },
    async waitForText(text) {
      await frame.waitForFunction(
        (wanted: string) => (globalThis as unknown as Browsing).document.body.innerText.includes(wanted),
        PATIENCE,
        text,
      );
    },
    async receive(message) {
      const data = JSON.stringify({ jsonrpc: "2.0", ...message });
      await frame.evaluate(`void dispatchEvent(new MessageEvent("message", { source: parent, data: ${data} }))`);
    },
    problems: async () => [...problems, ...invalidMessages((await messages()).filter(isOfView))],
    async accessibilityViolations() {
      await frame.evaluate(AXE);
      const found = await frame.evaluate("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)");
      return (found as Violation[]).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    overflow: async () => Number(await frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")),
    calledTools: async () => (await messages()).flatMap(({ method, params }) => (method === "tools/call" ? (params?.name ?? []) : [])),
    async answer(button) {
      await page.locator(`dialog ::-p-aria(${button})`).setTimeout(PATIENCE.timeout).click();
    },
    probe: async () =>
      (await page.evaluate("({ downloads: probe.downloads, links: probe.links, modelContexts: probe.modelContexts })")) as Probe,
    longestTask: async () => Number(await frame.evaluate(LONGEST_TASK)),
  };
}

export interface Probe {
  downloads: { resource?: { uri: string; mimeType?: string; text?: string } }[];
  links: string[];
  modelContexts: { content?: { text?: string }[] }[];
}

interface Browsing {
  document: { body: { innerText: string } };
}

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** The sandbox announces itself by a message that is not of the view. */
const isOfView = ({ method }: { method?: string }): boolean => method?.startsWith("ui/notifications/sandbox-") !== true;

function watchProblems(page: Page, isHostExempt: boolean): string[] {
  const problems: string[] = [];
  const isElsewhere = (url: string): boolean => {
    const { protocol, hostname } = new URL(url);
    return /^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1";
  };
  page.on("console", (message) => {
    const { url = "about:blank" } = message.location();
    // The Inspector saves each server, and reports a conflict when it knows one already.
    const isOfHost = isHostExempt && (isElsewhere(url) || url.endsWith("/api/servers"));
    if (message.type() === "error" && !isOfHost) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${String(error)}`));
  page.on("request", (request) => {
    const isHost = request.frame() === page.mainFrame();
    if (isElsewhere(request.url()) && !(isHostExempt && isHost)) problems.push(`request: ${request.url()}`);
  });
  return problems;
}

/** The inner frame of the sandbox. */
export async function viewFrame(page: Page): Promise<Frame> {
  const isView = (frame: Frame): boolean => frame.url() === "about:srcdoc";
  const deadline = Date.now() + PATIENCE.timeout;
  for (;;) {
    const found = page.frames().find(isView);
    if (found !== undefined) return found;
    const status = await page.evaluate(
      "[document.documentElement.dataset.host, document.querySelector('#status')?.textContent].join(': ')",
    );
    if (Date.now() > deadline || String(status).startsWith("error")) throw new Error(`The host shows no view. ${String(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
