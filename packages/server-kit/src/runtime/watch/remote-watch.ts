// watchForOthers: watches a resource for the clients of other processes.
import type { StopWatching } from "../../features/resources/resource-types.ts";
import { StatelessPeer } from "../../peer/stateless-peer.ts";
import { find, REVISIONS } from "../../revisions/index.ts";
import type { Channel } from "../request/channel.ts";
import { RequestContext } from "../request/context.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Publishes the changes of a resource until the returned function is called. Undefined when other processes notice them themselves. Throws "not
 * found" for an unknown address.
 */
export function watchForOthers(runtime: Runtime, uri: string): Promise<StopWatching | undefined> {
  return runtime.watches.watchForOthers(uri, contextWithoutClient(runtime));
}

/** The context of a watch for other processes runs no request, and sends nothing. */
const SILENT: Channel = { complete: () => undefined, notify: () => undefined, refuse: () => undefined };

function contextWithoutClient(runtime: Runtime): RequestContext {
  const revision = find(REVISIONS[0]);
  if (revision === undefined) throw new Error("No revision.");
  const client = { version: revision.id, capabilities: {}, clientInfo: undefined, logLevel: undefined };
  const peer = new StatelessPeer(client, revision, Infinity);
  return new RequestContext(runtime, peer, {
    id: "",
    method: "subscriptions/listen",
    params: {},
    channel: SILENT,
    handler: { run: () => ({}) },
  });
}
