// What a host tells a view about itself. Unknown members are allowed.
import type { JsonObject } from "./host-port.ts";

/** How a host shows a view. */
export type DisplayMode = "inline" | "fullscreen" | "pip";

/** Abilities of the host; a missing one must not be used. */
export interface HostCapabilities extends JsonObject {
  openLinks?: JsonObject;
  downloadFile?: JsonObject;
  serverTools?: JsonObject;
  serverResources?: JsonObject;
  updateModelContext?: JsonObject;
}

/** The surroundings of the view. */
export interface HostContext extends JsonObject {
  theme?: "light" | "dark";
  /** CSS variables of the host. */
  styles?: { variables?: Record<string, string | undefined>; css?: { fonts?: string } };
  displayMode?: DisplayMode;
  availableDisplayModes?: DisplayMode[];
  locale?: string;
  timeZone?: string;
}

/** The result of a tool. */
export interface ToolResult extends JsonObject {
  content?: { type: string; text?: string }[];
  structuredContent?: JsonObject;
  isError?: boolean;
  _meta?: JsonObject;
}
