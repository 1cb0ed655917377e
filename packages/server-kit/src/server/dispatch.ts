// The method table: which feature answers what. A method behind a capability that the server lacks has no row.
import type { Awaitable } from "../features/after.ts";
import { complete } from "../features/completion.ts";
import { pageOf } from "../features/paging.ts";
import { getPrompt } from "../features/prompts.ts";
import { listResources, listTemplates, readResource } from "../features/resources.ts";
import { callTool } from "../features/tools.ts";
import { hintsOf, LISTS } from "../features/cache.ts";
import type { Report } from "../protocol/errors.ts";
import { REVISIONS } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { RequestContext } from "./context.ts";
import type { Server } from "./define.ts";

/** Answers in the newest revision's shape. */
export interface CallHandler {
  run(params: Json, ctx: RequestContext): Awaitable<object>;
}

/** A list that is the same for all who ask: its encoded first page is kept until the version changes. */
export interface ListHandler {
  version(): number;
  list(cursor: unknown): object;
}

export type RequestHandler = CallHandler | ListHandler;

export const isListHandler = (row: RequestHandler): row is ListHandler => "list" in row;

export function requestHandlers(server: Server, report: Report): ReadonlyMap<string, RequestHandler> {
  const { tools, resources, prompts, capabilities } = server;
  const pageSize = server.spec.pageSize ?? 200;
  const hints = hintsOf(server.spec.cache ?? {}, LISTS);
  const rows = new Map<string, RequestHandler>();
  rows.set("server/discover", {
    version: () => 0,
    list() {
      const { instructions } = server.spec;
      return { supportedVersions: REVISIONS, capabilities, ...(instructions !== undefined && { instructions }), ...hints };
    },
  });
  if (capabilities.tools !== undefined) {
    const find = (name: string) => tools.get(name);
    rows.set("tools/list", {
      version: () => tools.version,
      list(cursor) {
        const { items, ...rest } = pageOf("tools", [...tools], ({ name }) => name, cursor, pageSize);
        return { tools: items.map((item) => item.listing()), ...rest, ...hints };
      },
    });
    rows.set("tools/call", { run: (params, ctx) => callTool(find, params, ctx, report) });
  }
  if (capabilities.resources !== undefined) {
    rows.set("resources/list", { run: (params, ctx) => listResources(resources, params, ctx, { pageSize, hints }) });
    rows.set("resources/templates/list", {
      version: () => resources.version,
      list: (cursor) => ({ ...listTemplates(resources, cursor, pageSize), ...hints }),
    });
    rows.set("resources/read", { run: (params, ctx) => readResource(resources, params, ctx) });
  }
  if (capabilities.prompts !== undefined) {
    rows.set("prompts/list", {
      version: () => prompts.version,
      list(cursor) {
        const { items, ...rest } = pageOf("prompts", [...prompts], ({ name }) => name, cursor, pageSize);
        return { prompts: items.map((item) => item.listing()), ...rest, ...hints };
      },
    });
    rows.set("prompts/get", { run: (params, ctx) => getPrompt((name) => prompts.get(name), params, ctx) });
  }
  if (capabilities.completions !== undefined) {
    rows.set("completion/complete", { run: (params, ctx) => complete(prompts, resources, params, ctx) });
  }
  return rows;
}
