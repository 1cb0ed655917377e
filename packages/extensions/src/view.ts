// @oarlock/extensions/view: for the page of a view, in the browser: its connection to the host. Without modules of Node.
export { connectToHost, type ConnectOptions, type Host } from "./view/connection.ts";
export type { DisplayMode, HostCapabilities, HostContext, ToolResult } from "./view/host-types.ts";
export { setState } from "./view/appearance.ts";
