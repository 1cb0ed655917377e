// A small host: calls the tool of the address, and shows its view by the official AppBridge in a sandbox of two frames.
import type { Client, Tool } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport, type McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";
import { readRequest, type PageRequest } from "./request.ts";
import { connectToServer } from "./server-client.ts";
import { styleVariables } from "./style-variables.ts";

/** For tests: what happened, and the controls of the host. */
export interface HostProbe {
  /** What the view has sent, in order. */
  readonly messages: unknown[];
  /** What the server replied to the calls of the host. */
  readonly results: unknown[];
  /** Files that the view offered for download. */
  readonly downloads: unknown[];
  readonly links: string[];
  readonly modelContexts: unknown[];
  setTheme(theme: "light" | "dark"): void;
  /** From now on the user of the host declines each call of the view. */
  declineCalls(): void;
  /** Announces the end and resolves with the answer of the view. */
  teardown(): Promise<unknown>;
}

declare global {
  interface Window {
    probe?: HostProbe;
    /** The origin of the sandbox, written by the server of the page. */
    sandboxOrigin?: string;
  }
}

const status = document.querySelector("#status");

function report(state: "connecting" | "shown" | "error", text: string): void {
  document.documentElement.dataset["host"] = state;
  if (status !== null) status.textContent = text;
}

interface Html {
  html: string;
  csp?: Record<string, string[]>;
  permissions?: Record<string, object>;
}

async function readView(client: Client, tool: Tool): Promise<Html> {
  const uri = getToolUiResourceUri(tool);
  if (uri === undefined) throw new Error(`The tool ${tool.name} has no view.`);
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (content === undefined || !("text" in content)) throw new Error(`${uri} has no text.`);
  const ui = (content._meta?.["ui"] ?? {}) as Omit<Html, "html">; // as MCP Apps describe it
  return { html: content.text, ...(ui.csp && { csp: ui.csp }), ...(ui.permissions && { permissions: ui.permissions }) };
}

function frameFor({ width }: PageRequest, { csp }: Html): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.title = "View";
  frame.style.width = `${width}px`;
  frame.style.height = "120px";
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  const query = csp === undefined ? "" : `?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  frame.src = `${window.sandboxOrigin ?? ""}/sandbox${query}`;
  return frame;
}

function contextOf({ theme, width }: PageRequest, tool: Tool): McpUiHostContext {
  return {
    theme,
    toolInfo: { tool },
    styles: { variables: styleVariables(theme) },
    displayMode: "inline",
    availableDisplayModes: ["inline", "fullscreen"],
    containerDimensions: { width, maxHeight: 4000 },
    locale: "en-US",
    platform: "web",
  };
}

const CAPABILITIES = {
  openLinks: {},
  downloadFile: {},
  serverResources: {},
  logging: {},
  updateModelContext: { text: {} },
};

async function show(request: PageRequest): Promise<void> {
  report("connecting", `Connecting to ${request.endpoint}…`);
  const client = await connectToServer(request);
  const tool = (await client.listTools()).tools.find(({ name }) => name === request.tool);
  if (tool === undefined) throw new Error(`The server has no tool ${request.tool}.`);
  const view = await readView(client, tool);
  const frame = frameFor(request, view);
  const context = contextOf(request, tool);
  document.documentElement.style.colorScheme = request.theme;
  const capabilities = { ...CAPABILITIES, ...(request.callsTools && { serverTools: {} }) };
  const bridge = new AppBridge(client, { name: "oarlock-apps-page", version: "1.0.0" }, capabilities, { hostContext: context });
  const probe = probeOf(bridge, frame, context);
  document.querySelector("#view")?.append(frame);
  await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error("The sandbox has no window.");
  window.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source === contentWindow) probe.messages.push(data);
  });
  bridge.addEventListener("initialized", () => void callTool(bridge, client, request, probe.results));
  bridge.addEventListener("sizechange", ({ height }) => {
    if (height !== undefined) frame.style.height = `${Math.min(height, 4000)}px`;
  });
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  await bridge.sendSandboxResourceReady(view);
  window.probe = probe;
}

async function callTool(bridge: AppBridge, client: Client, { tool, args }: PageRequest, results: unknown[]): Promise<void> {
  await bridge.sendToolInput({ arguments: args });
  try {
    const result = await client.callTool({ name: tool, arguments: args });
    results.push(result);
    await bridge.sendToolResult(result);
    report("shown", `${tool} was called.`);
  } catch (error) {
    await bridge.sendToolCancelled({ reason: String(error) });
    report("error", String(error));
  }
}

function probeOf(bridge: AppBridge, frame: HTMLIFrameElement, context: McpUiHostContext): HostProbe {
  const [messages, downloads, links, modelContexts]: [unknown[], unknown[], string[], unknown[]] = [[], [], [], []];
  bridge.onopenlink = async ({ url }) => {
    links.push(url);
    return {};
  };
  bridge.ondownloadfile = async ({ contents }) => {
    downloads.push(...contents);
    return {};
  };
  bridge.onupdatemodelcontext = async (params) => {
    modelContexts.push(params);
    return {};
  };
  bridge.onrequestdisplaymode = async ({ mode }) => {
    const chosen = mode === "fullscreen" ? "fullscreen" : "inline";
    frame.classList.toggle("fullscreen", chosen === "fullscreen");
    bridge.setHostContext({ ...context, displayMode: chosen });
    return { mode: chosen };
  };
  return {
    messages,
    results: [],
    downloads,
    links,
    modelContexts,
    setTheme(theme) {
      document.documentElement.style.colorScheme = theme;
      bridge.setHostContext({ ...context, theme, styles: { variables: styleVariables(theme) } });
    },
    declineCalls() {
      bridge.oncalltool = async () => {
        throw new Error("The user declined the call.");
      };
    },
    teardown: () => bridge.teardownResource({}),
  };
}

const request = readRequest(location.search);
if (request !== undefined) {
  document.querySelector("#index")?.remove();
  show(request).catch((error: unknown) => report("error", error instanceof Error ? error.message : String(error)));
}
