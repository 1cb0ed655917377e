// MCP Apps: names of the extension that shows views in hosts. https://github.com/modelcontextprotocol/ext-apps
import { isObject, type Json } from "../wire/json-rpc.ts";

/** The id of the extension. */
export const APPS = "io.modelcontextprotocol/ui";

/** The media type of a view. */
export const APP_MIME_TYPE = "text/html;profile=mcp-app";

/** The older key of `_meta` for the address of a tool's view, which some hosts still read. */
const FLAT_KEY = "ui/resourceUri";

/** Whether a client with these settings of the extension shows views. */
export const acceptsViews = (settings: Json | undefined): boolean =>
  Array.isArray(settings?.["mimeTypes"]) && settings["mimeTypes"].includes(APP_MIME_TYPE);

/** The members of `_meta` that name the view of a tool, and who may call it. */
export const toolMeta = (uri: string | undefined, visibility: readonly string[] | undefined): Json => ({
  ui: { ...(uri !== undefined && { resourceUri: uri }), ...(visibility !== undefined && { visibility }) },
  ...(uri !== undefined && { [FLAT_KEY]: uri }),
});

/** The value with those members of its `_meta` that MCP Apps define, for revisions without `_meta`: the extension is independent of them. */
export function onlyAppMeta(value: Json): Json {
  if (!("_meta" in value)) return value;
  const { _meta: meta, ...rest } = value;
  const kept = isObject(meta) ? Object.entries(meta).filter(([key]) => key === "ui" || key === FLAT_KEY) : [];
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
