// view(): defines a view, one HTML page that hosts with MCP Apps show. https://github.com/modelcontextprotocol/ext-apps
import type { Meta, Resource, ResourceContents } from "@oarlock/server-kit/protocol";
import { APP_MIME_TYPE } from "./messages.ts";
import { checkViewUri } from "./tool-ui.ts";
import { checkViewCsp, checkViewHtml, type ViewCsp } from "./view-check.ts";

/** Abilities of the browser that a view asks its host for. */
export interface ViewPermissions {
  camera?: Record<string, never>;
  microphone?: Record<string, never>;
  geolocation?: Record<string, never>;
  clipboardWrite?: Record<string, never>;
}

/** A view as its author writes it. */
export interface ViewSpec {
  /** Address, unique in the server: `ui://server/view.html`. */
  uri: string;
  /** One self-contained HTML document, the same for every call; or a function that reads it, called when a host first asks for it. */
  html: string | (() => Promise<string>);
  /** The origins that the document loads from. Default: none, so that everything is inline. */
  csp?: ViewCsp;
  /** Default: none. */
  permissions?: ViewPermissions;
  /** Whether the host should draw a border around the view. Default true. */
  prefersBorder?: boolean;
  title?: string;
  description?: string;
}

/** A view, for `apps({ views })` and `ui({ view })`. */
export interface ViewDefinition {
  readonly uri: string;
  /** The entry of `resources/list`. */
  readonly resource: Resource;
  /** Reads and checks the document once. Rejects when it is not a complete document, or loads from an origin that `csp` does not name. */
  contents(): Promise<ResourceContents>;
}

/**
 * Defines a view. Throws a TypeError on an address that is not `ui://`, and on a document given as text that loads from an undeclared origin.
 * @example
 * const clock = view({ uri: "ui://my-server/clock.html", html: "<!doctype html><title>Clock</title>…" });
 * const now = tool({ name: "now", extensions: [ui({ view: "ui://my-server/clock.html" })], run: () => new Date().toISOString() });
 * const server = defineServer({ name: "my-server", version: "1.0.0", tools: [now], extensions: [apps({ views: [clock] })] });
 */
export function view(spec: ViewSpec): ViewDefinition {
  const { uri, html, csp, permissions, prefersBorder = true, title, description } = spec;
  checkViewUri(uri, "view()");
  if (csp !== undefined) checkViewCsp(csp, uri);
  if (typeof html === "string") checkViewHtml(html, csp, uri);
  const meta: Meta = { ui: { ...(csp !== undefined && { csp }), ...(permissions !== undefined && { permissions }), prefersBorder } };
  const load = async (): Promise<string> => {
    if (typeof html === "string") return html;
    const loaded = await html();
    checkViewHtml(loaded, csp, uri);
    return loaded;
  };
  let loading: Promise<string> | undefined;
  return {
    uri,
    resource: {
      uri,
      name: uri.slice(uri.lastIndexOf("/") + 1),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      mimeType: APP_MIME_TYPE,
      _meta: meta,
    },
    async contents() {
      loading ??= load();
      try {
        return { uri, mimeType: APP_MIME_TYPE, text: await loading, _meta: meta };
      } catch (error) {
        loading = undefined; // the file may be there at the next request
        throw error;
      }
    },
  };
}
