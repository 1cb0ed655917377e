// hostHints(): tells hosts in `_meta` of tools what the protocol has no word for. docs/hosts.md has the table of who reads them.
import type { Client, Extension } from "@oarlock/server-kit";
import { OLDEST_WITH_TOOL_META } from "@oarlock/server-kit/extension";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { asksInPlaceOfServer, MAX_RESULT_CHARS, readsHints } from "./known-hosts.ts";

/** Names of tools, for {@link hostHints}. */
export interface HostHints {
  /** Tools that models need from the first request on, also where a host loads tools by need. Three or four of a server. */
  readonly alwaysLoad?: readonly string[];
  /** Tools whose results the server bounds itself: a host need not cut them below the largest result of the server. */
  readonly boundedResults?: readonly string[];
  /** Tools that call `confirm`, and are of little use without it. The prompt of the host counts as the answer where it has no elicitation. */
  readonly destroys?: readonly string[];
}

/**
 * An extension that adds hints to `tools/list`, for clients that are known to read them. Others get the list of a server without it.
 * @example
 * const server = defineServer({ name: "notes", version: "1.0.0", extensions: [hostHints({ alwaysLoad: ["find_note"] })] });
 */
export function hostHints({ alwaysLoad = [], boundedResults = [], destroys = [] }: HostHints): Extension {
  return {
    id: "com.anthropic/host-hints",
    since: OLDEST_WITH_TOOL_META,
    isDeclared: false,
    start({ limits }) {
      const maxResultSizeChars = Math.min(limits.resultBytes, MAX_RESULT_CHARS);
      const metaOf = (name: string, client: Client): Json => ({
        ...(alwaysLoad.includes(name) && { "anthropic/alwaysLoad": true }),
        ...(boundedResults.includes(name) && { "anthropic/maxResultSizeChars": maxResultSizeChars }),
        ...(destroys.includes(name) && asksInPlaceOfServer(client) && { "anthropic/requiresUserInteraction": true }),
      });
      const withHints = (tool: Json, client: Client): Json => {
        const meta = metaOf(String(tool["name"]), client);
        return Object.keys(meta).length === 0 ? tool : { ...tool, _meta: { ...(tool["_meta"] as Json | undefined), ...meta } };
      };
      return {
        isHostConfirmed: (tool, client) => destroys.includes(tool) && asksInPlaceOfServer(client),
        listVariant: (client) => (asksInPlaceOfServer(client) ? "hints-asks" : readsHints(client) ? "hints" : ""),
        lists: {
          "tools/list": (page, client) => {
            const { tools } = page;
            if (!readsHints(client) || !Array.isArray(tools)) return page;
            return { ...page, tools: tools.filter(isObject).map((tool) => withHints(tool, client)) };
          },
        },
      };
    },
  };
}
