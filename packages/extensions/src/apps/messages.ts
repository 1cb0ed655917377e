// The names of MCP Apps in messages. https://github.com/modelcontextprotocol/ext-apps
import type { Client } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";

/** The id of the extension. */
export const APPS = "io.modelcontextprotocol/ui";

/** The media type of a view. */
export const APP_MIME_TYPE = "text/html;profile=mcp-app";

/** The older key of `_meta` for the address of a tool's view, which some hosts still read. */
const FLAT_KEY = "ui/resourceUri";

/**
 * Whether this client shows views, and the server has some: the text of a reply may then be shorter.
 * @example run: (_input, { client }) => (showsViews(client) ? "The chart shows the tides." : "High water at 6:12 and 18:40.")
 */
export function showsViews(client: Client): boolean {
  const types = client.extension(APPS)?.["mimeTypes"];
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}

/** The members of `_meta` that name the view of a tool, and who may call it. */
export const toolMeta = (uri: string | undefined, visibility: readonly string[] | undefined): Json => ({
  ui: { ...(uri !== undefined && { resourceUri: uri }), ...(visibility !== undefined && { visibility }) },
  ...(uri !== undefined && { [FLAT_KEY]: uri }),
});
