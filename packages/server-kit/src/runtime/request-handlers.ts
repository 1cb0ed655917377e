// The request handlers of both eras, by method. A method behind a capability that the server lacks has none.
import { CONTENTS, hintsOf, LISTS } from "../features/cache.ts";
import { complete } from "../features/completion.ts";
import { getPrompt } from "../features/prompts.ts";
import { readResource } from "../features/resources/resource-requests.ts";
import { callTool, mayChange } from "../features/tools/tool-calls.ts";
import { promptWithRemedies, withWithheldNames } from "../features/tools/withheld-tools.ts";
import { toToolFailure } from "../protocol/errors.ts";
import type { ServerCapabilities } from "../protocol/types.ts";
import { REVISIONS } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Server } from "./define.ts";
import { mayRename, pageOfList, type ListSources, type MiddlewareChain } from "./middleware.ts";
import type { RequestHandler } from "./request/request-handler.ts";

/** `capabilities`: those of the revision for which the handlers are. */
export function requestHandlers(
  { tools, resources, prompts, spec, middleware: added }: Server,
  capabilities: ServerCapabilities,
  sources: ListSources,
  middleware: MiddlewareChain | undefined,
): ReadonlyMap<string, RequestHandler> {
  const { instructions, pageSize = 200, cache = {} } = spec;
  const hints = hintsOf(cache, LISTS);
  const privateHints = hintsOf({ ...cache, scope: "private" }, CONTENTS);
  const handlers = new Map<string, RequestHandler>();
  const set = (method: string, handler: RequestHandler): void => {
    handlers.set(method, middleware?.around(method, handler, { pageSize, hints: privateHints }) ?? handler);
  };
  const setList = (method: Exclude<keyof ListSources, "resources/list">, registry: { readonly version: number }): void =>
    set(method, {
      version: () => registry.version,
      list: (cursor) => ({ ...pageOfList(sources[method], sources[method].items(), cursor, pageSize), ...hints }),
    });
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
    setList("tools/list", tools);
    set("tools/call", {
      run: (params, ctx) => callTool(tools, params, ctx),
      toFailure: toToolFailure,
      mayChange: (params) => mayChange(tools, params, mayRename(added)),
    });
  }
  if (capabilities.resources !== undefined) {
    const source = sources["resources/list"];
    // The lists of templates may differ from client to client.
    const resourceHints = (): Json => ([...resources].some(({ list }) => list !== undefined) ? hintsOf({}, CONTENTS) : hints);
    set("resources/list", {
      run: async ({ cursor }, ctx) => ({ ...pageOfList(source, await source.items(ctx), cursor, pageSize), ...resourceHints() }),
    });
    setList("resources/templates/list", resources);
    set("resources/read", { run: (params, ctx) => readResource(resources, params, ctx) });
  }
  if (capabilities.prompts !== undefined) {
    setList("prompts/list", prompts);
    set("prompts/get", {
      run: async (params, ctx) => promptWithRemedies(await getPrompt(prompts, params, ctx), tools.withheld),
    });
  }
  if (capabilities.completions !== undefined)
    set("completion/complete", { run: (params, ctx) => complete({ prompts, resources }, params, ctx) });
  return handlers;
}
