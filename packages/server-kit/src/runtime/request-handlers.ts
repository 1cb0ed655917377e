// The request handlers of both eras, by method. A method behind a capability that the server lacks has none.
import { hintsOf, LISTS } from "../features/cache.ts";
import { complete } from "../features/completion.ts";
import { pageOf } from "../features/paging.ts";
import { getPrompt } from "../features/prompts.ts";
import type { Registry } from "../features/registry.ts";
import { listResources, listTemplates, readResource } from "../features/resources/resource-requests.ts";
import { callTool, mayChange } from "../features/tools.ts";
import { listingWithNames, promptWithRemedies, withWithheldNames } from "../features/withheld-tools.ts";
import { describeError, toToolFailure } from "../protocol/errors.ts";
import type { ServerCapabilities } from "../protocol/types.ts";
import { REVISIONS } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Server } from "./define.ts";
import type { ExtensionHost } from "./extension/extension.ts";
import type { ListHandler, RequestHandler } from "./request/request-handler.ts";

/** `capabilities`: those of the revision for which the handlers are. */
export function requestHandlers(
  { tools, resources, prompts, spec }: Server,
  capabilities: ServerCapabilities,
  log: ExtensionHost["log"],
): ReadonlyMap<string, RequestHandler> {
  const { instructions, pageSize = 200 } = spec;
  const hints = hintsOf(spec.cache ?? {}, LISTS);
  const handlers = new Map<string, RequestHandler>();
  handlers.set("server/discover", {
    version: () => 0,
    list: () => ({
      supportedVersions: REVISIONS,
      capabilities,
      ...(instructions !== undefined && { instructions: withWithheldNames(instructions, tools.withheld) }),
      ...hints,
    }),
  });
  if (capabilities.tools !== undefined) {
    handlers.set(
      "tools/list",
      listOf("tools", tools, (tool) => listingWithNames(tool.listing(), tools.withheld), { pageSize, hints, log }),
    );
    handlers.set("tools/call", {
      run: (params, ctx) => callTool(tools, params, ctx),
      toFailure: toToolFailure,
      mayChange: (params) => mayChange(tools, params),
    });
  }
  if (capabilities.resources !== undefined) {
    handlers.set("resources/list", { run: (params, ctx) => listResources(resources, params, ctx, { pageSize, hints }) });
    handlers.set("resources/templates/list", {
      version: () => resources.version,
      list: (cursor) => ({ ...listTemplates(resources, cursor, pageSize), ...hints }),
    });
    handlers.set("resources/read", { run: (params, ctx) => readResource(resources, params, ctx) });
  }
  if (capabilities.prompts !== undefined) {
    handlers.set(
      "prompts/list",
      listOf("prompts", prompts, (prompt) => prompt.listing(), { pageSize, hints, log }),
    );
    handlers.set("prompts/get", {
      run: async (params, ctx) => promptWithRemedies(await getPrompt(prompts, params, ctx), tools.withheld),
    });
  }
  if (capabilities.completions !== undefined) {
    handlers.set("completion/complete", { run: (params, ctx) => complete({ prompts, resources }, params, ctx) });
  }
  return handlers;
}

function listOf<T extends { readonly name: string }>(
  key: "tools" | "prompts",
  registry: Registry<T>,
  listing: (item: T) => object,
  { pageSize, hints, log }: { pageSize: number; hints: Json; log: ExtensionHost["log"] },
): ListHandler {
  /** An entry whose lazy schema is invalid is left out, so that the others are listed. */
  const listed = (item: T): object[] => {
    try {
      return [listing(item)];
    } catch (error) {
      log("error", `"${item.name}" is left out of ${key}/list: ${describeError(error)}`);
      return [];
    }
  };
  return {
    version: () => registry.version,
    list(cursor) {
      const { items, ...rest } = pageOf(key, [...registry], ({ name }) => name, cursor, pageSize);
      return { [key]: items.flatMap(listed), ...rest, ...hints };
    },
  };
}
