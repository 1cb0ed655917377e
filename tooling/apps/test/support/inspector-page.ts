// InspectorPage: the page of the official Inspector, connected to a server, with a tool whose view it shows.
import type { Browser, Frame } from "puppeteer-core";
import { openHost, viewIn, type HostPage, type ShownView } from "../../src/harness/open-view.ts";

const PATIENCE = { timeout: 60_000 };
const HEIGHT = 900;
/** The page is so much wider than the frame of a view in it, beside which are lists. */
const SIDES_WIDTH = 888;

/** The setting of the Inspector: a handshake, or the stateless revision. */
export type Era = "legacy" | "modern";

export interface InspectorCall {
  readonly endpoint: string;
  readonly era: Era;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface InspectorPage extends AsyncDisposable {
  /** Calls the tool and shows the result in a new frame of this width. */
  show(look: { theme: "light" | "dark"; width: number }): Promise<ShownView>;
  /** Answers an elicitation, which the Inspector shows as a dialog. */
  answer(button: "Submit" | "Decline"): Promise<void>;
}

/** Opens the tool of the call with its arguments filled in. */
export async function openInspectorPage(
  browser: Browser,
  { origin, token }: { origin: string; token: string },
  { endpoint, era, tool, args }: InspectorCall,
): Promise<InspectorPage> {
  await storeServer(origin, token, endpoint, era);
  const query = new URLSearchParams({
    serverUrl: endpoint,
    transport: "http",
    autoConnect: token,
    openApp: tool,
    appArgs: Buffer.from(JSON.stringify(args)).toString("base64url"),
  });
  const host = await openHost(browser, `${origin}/?${query.toString()}`, true);
  const { page } = host;
  const click = async (name: string): Promise<void> => await page.locator(`::-p-aria(${name})`).setTimeout(PATIENCE.timeout).click();
  let isOpen = false;
  return {
    async show({ theme, width }) {
      if (isOpen) await click("Back to Input");
      isOpen = true;
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.setViewport({ width: width + SIDES_WIDTH, height: HEIGHT });
      await click("Open App");
      return viewIn(host, await newFrame(host));
    },
    async answer(button) {
      await page.locator(`[role=dialog] ::-p-aria(${button})`).setTimeout(PATIENCE.timeout).click();
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function newFrame({ page }: HostPage): Promise<Frame> {
  return await page.waitForFrame((frame) => !frame.detached && frame.url() === "about:srcdoc", PATIENCE);
}

/** The Inspector connects to the stored server of this id as its settings say, if it has the address of the link. */
async function storeServer(origin: string, token: string, url: string, protocolEra: Era): Promise<void> {
  const settings = { headers: [], metadata: {}, connectionTimeout: PATIENCE.timeout, requestTimeout: PATIENCE.timeout, protocolEra };
  const body = JSON.stringify({ id: "deep-link", config: { type: "streamable-http", url }, settings });
  const headers = { "content-type": "application/json", "x-mcp-remote-auth": `Bearer ${token}` };
  const servers = `${origin}/api/servers`;
  let response = await fetch(`${servers}/deep-link`, { method: "PUT", headers, body });
  if (response.status === 404) response = await fetch(servers, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`The Inspector does not store the server: ${await response.text()}`);
}
