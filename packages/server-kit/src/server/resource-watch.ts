// Resource watch: watches a resource for one client, and lets the other nodes of the service take part.
import { findResource } from "../features/resources/resource-requests.ts";
import type { StopWatching } from "../features/resources/resource-types.ts";
import type { Context } from "../features/context.ts";
import type { Runtime } from "./runtime.ts";

/** Calls `changed` after changes that this node notices. Throws "not found" for an unknown address. */
export async function startWatch({ server, sharing }: Runtime, uri: string, changed: () => void, ctx: Context): Promise<StopWatching> {
  const { definition, variables } = findResource(server.resources, uri);
  const news = definition.noticesOtherProcesses === true ? undefined : sharing?.news;
  if (news === undefined) return definition.watch(variables, changed, ctx, uri);
  const onChange = (): void => {
    changed();
    news.resourceChanged(uri);
  };
  const stop = await definition.watch(variables, onChange, ctx, uri);
  const end = news.watched(uri);
  return () => {
    end();
    return stop();
  };
}
