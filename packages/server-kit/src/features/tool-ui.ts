// ToolUi: the view that hosts with MCP Apps show for a tool, and who may call the tool. https://github.com/modelcontextprotocol/ext-apps
import { truncate } from "./schema/schema.ts";

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

/** Throws a TypeError when the view has no `ui://` address, or the visibility is empty. */
export function checkedUi(ui: ToolUi, owner: string): CheckedToolUi {
  const { view, visibility } = ui;
  if ("view" in ui && view === undefined) throw new TypeError(`${owner}: ui.view is undefined. Pass a view, or leave ui.view out.`);
  const uri = typeof view === "object" ? view.uri : view;
  if (uri !== undefined) checkViewUri(uri, owner);
  if (visibility !== undefined && (visibility.length === 0 || visibility.some((who) => who !== "model" && who !== "app")))
    throw new TypeError(`${owner}: ui.visibility is invalid: expected "model", "app", or both.`);
  return { uri, visibility };
}

/** Throws a TypeError unless the address is `ui://host/path`. */
export function checkViewUri(uri: unknown, owner: string): void {
  if (typeof uri !== "string" || !/^ui:\/\/[^\s/?#]+\/[^\s?#]+$/.test(uri))
    throw new TypeError(`${owner}: view address "${truncate(String(uri))}" is invalid: expected ui://server/view.html.`);
}

/** True for a tool that only views call. */
export const isAppOnly = (ui: CheckedToolUi | undefined): boolean => ui?.visibility !== undefined && !ui.visibility.includes("model");
