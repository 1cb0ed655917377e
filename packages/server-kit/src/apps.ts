// @oarlock/server-kit/apps: views that hosts with MCP Apps show.
export { apps, type AppsOptions } from "./extensions/apps/apps.ts";
export { view, type ViewDefinition, type ViewPermissions, type ViewSpec } from "./extensions/apps/view-definition.ts";
export { type ViewCsp } from "./extensions/apps/view-check.ts";
