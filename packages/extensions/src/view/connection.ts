// connectToHost(): a page's connection to the host that shows it.
import { applyContext, watchSize } from "./appearance.ts";
import type { DisplayMode, HostCapabilities, HostContext, ToolResult } from "./host-types.ts";
import { HostPort, type JsonObject } from "./host-port.ts";

const PROTOCOL_VERSION = "2026-01-26";
const INITIALIZE_TIMEOUT_MS = 3_000;
const DISPLAY_MODES: DisplayMode[] = ["inline", "fullscreen"];

/** The name of the page and its handlers for the messages of the host. */
export interface ConnectOptions {
  name: string;
  version: string;
  /** The arguments of the call whose result follows. */
  onInput?(args: Record<string, unknown>): void;
  onResult(result: ToolResult): void;
  onCancelled?(reason?: string): void;
  /** Called first, and with each change, with all of the context. */
  onContext?(context: HostContext): void;
  /** The host is about to remove the page. */
  onTeardown?(): void | Promise<void>;
}

/** The host of the page. */
export interface Host {
  /** False when no host answered: the page works without one. */
  readonly connected: boolean;
  readonly capabilities: HostCapabilities;
  /** The current context. */
  readonly context: HostContext;
  /** Calls a tool of the server that the page is from. Rejects when the host refuses. */
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** Opens a web page. False when the host cannot, or its user declined. */
  openLink(url: string): Promise<boolean>;
  /** Offers a file for download. False when the host cannot, or its user declined. */
  download(file: { name: string; mimeType: string; text: string }): Promise<boolean>;
  /** Replaces what the page tells the model for its next turn. False when the host does not do this. */
  updateModelContext(text: string): Promise<boolean>;
  /** Asks for a display mode and returns the one that the host chose. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
}

/**
 * Connects the page to its host. When the host refuses, or is silent for three seconds, the returned host is not connected; it becomes
 * connected when the host answers later.
 */
export async function connectToHost(options: ConnectOptions): Promise<Host> {
  const { name, version } = options;
  let context: HostContext = {};
  const changeContext = (changes: HostContext): void => {
    context = { ...context, ...changes };
    applyContext(changes);
    options.onContext?.(context);
  };
  const port = new HostPort((method, params) => handle(method, params, options, changeContext));
  const appCapabilities = { availableDisplayModes: DISPLAY_MODES };
  let capabilities: HostCapabilities | undefined;
  const initialize = async (): Promise<void> => {
    const request = port.request("ui/initialize", { protocolVersion: PROTOCOL_VERSION, appInfo: { name, version }, appCapabilities });
    const initializeResult = await request.catch(() => undefined);
    if (initializeResult === undefined) return;
    capabilities = (initializeResult["hostCapabilities"] ?? {}) as HostCapabilities; // its members are optional
    changeContext((initializeResult["hostContext"] ?? {}) as HostContext); // its members are optional
    port.notify("ui/notifications/initialized");
    watchSize((size) => port.notify("ui/notifications/size-changed", size));
  };
  await Promise.race([initialize(), new Promise((resolve) => setTimeout(resolve, INITIALIZE_TIMEOUT_MS))]);
  const attempt = async (isOffered: boolean, method: string, params: JsonObject): Promise<JsonObject | undefined> => {
    if (!isOffered) return undefined;
    const result = await port.request(method, params).catch(() => undefined);
    return result?.["isError"] === true ? undefined : result;
  };
  const has = (ability: keyof HostCapabilities): boolean => capabilities?.[ability] !== undefined;
  return {
    get connected() {
      return capabilities !== undefined;
    },
    get capabilities() {
      return capabilities ?? {};
    },
    get context() {
      return context;
    },
    async callTool(tool, args) {
      if (capabilities === undefined) throw new Error("No host is connected.");
      return await port.request("tools/call", { name: tool, arguments: args });
    },
    openLink: async (url) => (await attempt(has("openLinks"), "ui/open-link", { url })) !== undefined,
    async download({ name: file, mimeType, text }) {
      const resource = { uri: `file:///${encodeURIComponent(file)}`, mimeType, text };
      return (await attempt(has("downloadFile"), "ui/download-file", { contents: [{ type: "resource", resource }] })) !== undefined;
    },
    async updateModelContext(text) {
      return (await attempt(has("updateModelContext"), "ui/update-model-context", { content: [{ type: "text", text }] })) !== undefined;
    },
    async requestDisplayMode(mode) {
      const isOffered = context.availableDisplayModes?.includes(mode) === true;
      const chosen = (await attempt(isOffered, "ui/request-display-mode", { mode }))?.["mode"] ?? context.displayMode ?? "inline";
      return chosen as DisplayMode; // the protocol has three
    },
  };
}

async function handle(
  method: string,
  params: JsonObject,
  options: ConnectOptions,
  changeContext: (changes: HostContext) => void,
): Promise<JsonObject | undefined> {
  if (method === "ui/notifications/tool-input") options.onInput?.((params["arguments"] ?? {}) as JsonObject);
  else if (method === "ui/notifications/tool-result") options.onResult(params);
  else if (method === "ui/notifications/tool-cancelled") options.onCancelled?.(...reasonOf(params));
  else if (method === "ui/notifications/host-context-changed") changeContext(params);
  else if (method === "ui/resource-teardown") await options.onTeardown?.();
  else if (method !== "ping") return undefined;
  return {};
}

const reasonOf = ({ reason }: JsonObject): [] | [string] => (typeof reason === "string" ? [reason] : []);
