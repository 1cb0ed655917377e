// apps(): serves views, which hosts with MCP Apps show beside the results of tools. https://github.com/modelcontextprotocol/ext-apps
import type { CallHandler, Client, Extension, ExtensionHost, ExtensionParts } from "@oarlock/server-kit";
import { forOneClient, hintsOf, LISTS } from "@oarlock/server-kit/extension";
import { isObject, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { APPS, showsViews, toolMeta } from "./messages.ts";
import { isAppOnly, uiOf } from "./tool-ui.ts";
import type { ViewDefinition } from "./view-definition.ts";

/** The views of a server. */
export interface AppsOptions {
  views: readonly ViewDefinition[];
}

/**
 * An extension that serves views. Clients that do not declare the extension get the lists of a server without views. They can still read a
 * view and call an app-only tool by name. It exists in every revision of the protocol.
 * @example
 * const clock = view({ uri: "ui://my-server/clock.html", html: "<!doctype html><title>Clock</title>…" });
 * const server = defineServer({ name: "my-server", version: "1.0.0", tools: [], extensions: [apps({ views: [clock] })] });
 */
export function apps({ views }: AppsOptions): Extension {
  const byUri = new Map(views.map((view) => [view.uri, view]));
  if (byUri.size < views.length) throw new TypeError("Duplicate address among the views. Rename one of them.");
  return {
    id: APPS,
    since: REVISIONS.at(-1) ?? "",
    declaredOnRequest: true,
    checkTool(tool) {
      const uri = uiOf(tool)?.uri;
      if (uri !== undefined && !byUri.has(uri))
        throw new TypeError(`Tool "${tool.name}" names the view ${uri}, which the server does not have. Add it to apps({ views }).`);
    },
    start: (host) => partsOf(byUri, host),
  };
}

function partsOf(views: ReadonlyMap<string, ViewDefinition>, host: ExtensionHost): ExtensionParts {
  return {
    capabilities: { resources: {} },
    listVariant: (client) => (showsViews(client) ? "apps" : ""),
    lists: { "tools/list": (page, client) => toolsFor(client, page, host) },
    handlers: {
      "resources/list": (next) => withViews(next, views),
      "resources/read": (next) => ({
        ...next,
        async run(params, ctx) {
          const found = views.get(String(params.uri));
          return found === undefined ? next.run(params, ctx) : { contents: [await found.contents()], ...CACHE };
        },
      }),
    },
  };
}

/** A view is the same for every client. */
const CACHE = hintsOf({}, LISTS);

/** A page of `tools/list`: without the tools that only views call, or with the members of `_meta` that name the views. */
function toolsFor(client: Client, page: Json, { tools }: ExtensionHost): Json {
  const listed = Array.isArray(page["tools"]) ? page["tools"].filter(isObject) : [];
  const shownBy = ({ name }: Json) => uiOf(tools.get(String(name)));
  if (!showsViews(client)) return { ...page, tools: listed.filter((tool) => !isAppOnly(shownBy(tool))) };
  const withMeta = listed.map((tool) => {
    const toolUi = shownBy(tool);
    if (toolUi === undefined) return tool;
    return { ...tool, _meta: { ...(tool["_meta"] as Json | undefined), ...toolMeta(toolUi.uri, toolUi.visibility) } };
  });
  return { ...page, tools: withMeta };
}

/** Adds the views to the last page of `resources/list`. */
const withViews = (next: CallHandler, views: ReadonlyMap<string, ViewDefinition>): CallHandler => ({
  ...next,
  async run(params, ctx) {
    const page = (await next.run(params, ctx)) as Json & { resources: Json[] }; // the result of resources/list
    if (!showsViews(ctx.client) || page["nextCursor"] !== undefined) return forOneClient(page);
    return forOneClient({ ...page, resources: [...page.resources, ...[...views.values()].map(({ resource }) => resource)] });
  },
});
