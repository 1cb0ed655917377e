// @oarlock/extensions/apps: views that hosts with MCP Apps show.
export { apps, type AppsOptions } from "./apps/apps.ts";
export { view, type ViewDefinition, type ViewPermissions, type ViewSpec } from "./apps/view-definition.ts";
export { showsViews } from "./apps/messages.ts";
export { ui, type ToolUi, type ToolVisibility } from "./apps/tool-ui.ts";
export { type ViewCsp } from "./apps/view-check.ts";
