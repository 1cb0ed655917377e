// The tools, resources and prompts of a server with several scopes. Each request is passed on to those of its scope, so that nothing of
// another scope can reach it.
import type { Server, ServerFeatures } from "@oarlock/server-kit";
import { isInPostgres, readOnlyLocation } from "../configured-location.ts";
import { DEFAULT_MAX_RESULT_BYTES, type Options } from "../options.ts";
import { offerOf } from "../offer.ts";
import { scopeChoice } from "./choose-scope.ts";
import { change, isReading, readAll } from "./read-scopes.ts";
import { DEFAULT_SCOPE, isDynamic } from "./scope-name.ts";
import { ScopePool, type ScopeFeatures } from "./scope-pool.ts";
import { scopedPrompts, scopedResources } from "./scoped-definitions.ts";
import { scopedLocation } from "./scoped-location.ts";

/** The list of resources differs from client to client, so that changes are not notified: they would show what other clients do. */
const UNNOTIFIED: Pick<Server["resources"], "touch"> = { touch: () => undefined };

export async function scopedOffer(options: Options): Promise<ServerFeatures> {
  const { location, scope, readScopes = [], maxResultBytes = DEFAULT_MAX_RESULT_BYTES } = options;
  const written = scope ?? DEFAULT_SCOPE;
  const openedDatabases = new Set<string>();
  const one = {
    ...options,
    mirror: undefined,
    openSoon: false,
    openedDatabases,
    maxResultBytes: Math.floor(maxResultBytes / (1 + readScopes.length)),
  };
  const openScope = async (name: string, person: string | undefined): Promise<ScopeFeatures> => {
    const readOnly = options.readOnly === true || readScopes.includes(name);
    const place = scopedLocation(location, name);
    // Notes are of the memory that is written.
    const mirror = name === written && !readOnly ? options.mirror : undefined;
    const isChosen = isDynamic(scope) && name !== DEFAULT_SCOPE && !readScopes.includes(name);
    const owner = isChosen ? { scope: name, person } : undefined;
    const own = { mirror, location: readOnly && !isInPostgres(place) ? readOnlyLocation(place) : place, readOnly, owner };
    return await offerOf({ ...one, ...own }, () => UNNOTIFIED);
  };
  const pool = new ScopePool(openScope);
  const choice = scopeChoice(scope);
  if (options.mirror !== undefined && !isDynamic(scope)) await pool.hold(written);
  // Lists and schemas are the same in each scope. This one is not opened before it is used.
  const [prototype] = await pool.hold(DEFAULT_SCOPE);
  return {
    tools: prototype.tools.map((tool, at) => ({
      ...tool,
      call: async (args, ctx) => {
        const call = { pool, at, scope: await choice.of(ctx), readScopes, args, ctx };
        return await (isReading(tool) ? readAll(call) : change(call));
      },
    })),
    resources: scopedResources(prototype.resources, pool, choice),
    prompts: scopedPrompts(prototype.prompts, pool, choice),
    close: () => pool.close(),
  };
}
