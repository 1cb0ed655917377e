// watchForOthers: watches a resource for the clients of other processes.
import type { StopWatching } from "../../features/resources/resource-types.ts";
import { StatelessPeer } from "../../peer/stateless-peer.ts";
import { find, REVISIONS } from "../../revisions/index.ts";
import { SILENT } from "../request/channel.ts";
import { RequestContext } from "../request/context.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Publishes the changes of a resource until the returned function is called. Undefined when other processes notice them themselves. Throws "not
 * found" for an unknown address.
 */
export function watchForOthers(runtime: Runtime, uri: string): Promise<StopWatching | undefined> {
  const revision = find(REVISIONS[0]);
  if (revision === undefined) throw new Error("No revision.");
  const noClient = { version: revision.id, capabilities: {}, clientInfo: undefined, logLevel: undefined };
  const peer = new StatelessPeer(noClient, revision, Infinity);
  return runtime.watches.watchForOthers(uri, RequestContext.ofWatch(runtime, peer, SILENT));
}
