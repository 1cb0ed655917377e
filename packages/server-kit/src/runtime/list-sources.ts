// listSources: the lists of a server, as its definitions describe them.
import type { Context } from "../features/context.ts";
import type { Registry } from "../features/registry.ts";
import { listedResources } from "../features/resources/resource-requests.ts";
import { listingWithNames } from "../features/tools/withheld-tools.ts";
import { describeError } from "../protocol/errors.ts";
import type { Server } from "./define.ts";
import type { ExtensionHost } from "./extension/extension.ts";
import type { ListItem, ListSources } from "./middleware.ts";

const byName = ({ name }: ListItem): string => name;
const byUri = (item: ListItem): string => ("uri" in item ? item.uri : "");
const byTemplate = (item: ListItem): string => ("uriTemplate" in item ? item.uriTemplate : "");

export function listSources({ tools, resources, prompts }: Server, log: ExtensionHost["log"]): ListSources {
  /** An entry whose lazy schema is invalid is left out and named in the log, so that the others are listed. */
  const listed = <T extends { readonly name: string }>(method: string, registry: Registry<T>, listing: (item: T) => ListItem): ListItem[] =>
    [...registry].flatMap((item) => {
      try {
        return [listing(item)];
      } catch (error) {
        log("error", `"${item.name}" is left out of ${method}: ${describeError(error)}`);
        return [];
      }
    });
  return {
    "tools/list": {
      key: "tools",
      kind: "tools",
      idOf: byName,
      items: () => listed("tools/list", tools, (tool) => listingWithNames(tool.listing(), tools.withheld)),
    },
    "prompts/list": {
      key: "prompts",
      kind: "prompts",
      idOf: byName,
      items: () => listed("prompts/list", prompts, (prompt) => prompt.listing()),
    },
    "resources/list": { key: "resources", kind: "resources", idOf: byUri, items: (ctx: Context) => listedResources(resources, ctx) },
    "resources/templates/list": {
      key: "resourceTemplates",
      kind: "templates",
      idOf: byTemplate,
      items: () => [...resources].flatMap(({ template }) => template ?? []),
    },
  };
}
