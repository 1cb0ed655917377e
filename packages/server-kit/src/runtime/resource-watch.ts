// Resource watch: watches a resource for one client, or for the clients of other processes.
import { fireAndForget } from "../features/awaitable.ts";
import { findResource } from "../features/resources/resource-requests.ts";
import type { StopWatching } from "../features/resources/resource-types.ts";
import type { Context } from "../features/context.ts";
import { StatelessPeer } from "../peer/stateless-peer.ts";
import { find, REVISIONS } from "../revisions/index.ts";
import type { Channel } from "./request/channel.ts";
import { RequestContext } from "./request/context.ts";
import { StatelessScope } from "./request/request-scope.ts";
import type { Runtime } from "./runtime.ts";

/** Calls `changed` after changes that this process notices. Throws "not found" for an unknown address. */
export async function startWatch({ server, services }: Runtime, uri: string, changed: () => void, ctx: Context): Promise<StopWatching> {
  const { definition, variables } = findResource(server.resources, uri);
  const changes = definition.noticesOtherProcesses === true ? undefined : services.changes;
  if (changes === undefined) return definition.watch(variables, changed, ctx, uri);
  const onChange = (): void => {
    changed();
    changes.resourceChanged(uri);
  };
  const stop = await definition.watch(variables, onChange, ctx, uri);
  const end = changes.watched(uri);
  return () => {
    end();
    return stop();
  };
}

/** The context of such a watch runs no request, and sends nothing. */
const SILENT: Channel = { complete: () => undefined, notify: () => undefined, refuse: () => undefined };

/**
 * Watches a resource for the clients of other processes, until the returned function is called. Undefined when these notice its changes
 * themselves. Throws "not found" for an unknown address.
 */
export async function watchForOthers(
  runtime: Runtime,
  uri: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const { definition, variables } = findResource(runtime.server.resources, uri);
  if (definition.noticesOtherProcesses === true) return undefined;
  const stop = await definition.watch(variables, changed, contextWithoutClient(runtime, signal), uri);
  return () => fireAndForget(stop);
}

function contextWithoutClient(runtime: Runtime, signal: AbortSignal): RequestContext {
  const revision = find(REVISIONS[0]);
  if (revision === undefined) throw new Error("No revision.");
  const client = { version: revision.id, capabilities: {}, clientInfo: undefined, logLevel: undefined };
  const scope = new StatelessScope(new StatelessPeer(client, revision, Infinity), { runtime, signal: () => signal, logs: "none" });
  return new RequestContext(scope, { id: "", method: "subscriptions/listen", params: {}, channel: SILENT, handler: { run: () => ({}) } });
}
