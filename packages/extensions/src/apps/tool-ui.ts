// ui(): names the view that hosts with MCP Apps show for a tool, and who may call the tool.
// https://github.com/modelcontextprotocol/ext-apps
import type { ToolAddition, ToolDefinition } from "@oarlock/server-kit";
import { additionOf, truncate } from "@oarlock/server-kit/extension";
import { APPS } from "./messages.ts";

/** Who may call a tool in a host with MCP Apps: the model, the view, or both. */
export type ToolVisibility = readonly ("model" | "app")[];

/** What hosts with MCP Apps learn about a tool. Other hosts see nothing of it. */
export interface ToolUi {
  /** The view that shows the results of the tool, or its `ui://` address. Default: none. */
  view?: string | { readonly uri: string };
  /**
   * Who may call the tool. Default: the model and the view. `["app"]`: only views; the tool is not listed for other hosts. This is not an
   * access control: any client can call the tool.
   */
  visibility?: ToolVisibility;
}

/** {@link ToolUi}, checked. */
export interface CheckedToolUi {
  readonly uri: string | undefined;
  readonly visibility: ToolVisibility | undefined;
}

/**
 * What a tool shows in hosts with MCP Apps, for `tool({ extensions: [ui(...)] })`. The server needs {@link apps}. Throws a TypeError when the
 * view has no `ui://` address, or the visibility is empty.
 * @example
 * const now = tool({ name: "now", extensions: [ui({ view: "ui://my-server/clock.html" })], run: () => new Date().toISOString() });
 * const tick = tool({ name: "tick", extensions: [ui({ visibility: ["app"] })], run: () => new Date().toISOString() });
 */
export function ui(spec: ToolUi): ToolAddition {
  const { view, visibility } = spec;
  if ("view" in spec && view === undefined) throw new TypeError("ui.view is undefined. Pass a view, or leave view out.");
  const uri = typeof view === "object" ? view.uri : view;
  if (uri !== undefined) checkViewUri(uri, "ui()");
  if (visibility !== undefined && (visibility.length === 0 || visibility.some((who) => who !== "model" && who !== "app")))
    throw new TypeError('ui.visibility is invalid: expected "model", "app", or both.');
  const value: CheckedToolUi = { uri, visibility };
  return { extension: APPS, value, isForModels: !isAppOnly(value), requires: "Pass defineServer extensions: [apps({ views })]." };
}

/** What a tool shows; undefined for nothing. */
export const uiOf = (tool: ToolDefinition | undefined): CheckedToolUi | undefined =>
  tool && (additionOf(tool, APPS) as CheckedToolUi | undefined); // made by `ui`

/** True for a tool that only views call. */
export const isAppOnly = (toolUi: CheckedToolUi | undefined): boolean =>
  toolUi?.visibility !== undefined && !toolUi.visibility.includes("model");

/** Throws a TypeError unless the address is `ui://host/path`. */
export function checkViewUri(uri: unknown, owner: string): void {
  if (typeof uri !== "string" || !/^ui:\/\/[^\s/?#]+\/[^\s?#]+$/.test(uri))
    throw new TypeError(`${owner}: view address "${truncate(String(uri))}" is invalid: expected ui://server/view.html.`);
}
