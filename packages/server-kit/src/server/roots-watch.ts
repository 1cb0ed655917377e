// Follows the client's roots, for servers whose resources depend on them (handshake era).
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
import { findResource } from "../features/resources/resource-requests.ts";
import type { Subscriptions } from "../features/resources/subscriptions.ts";
import type { Session } from "../peer/session.ts";
import { describeError } from "../protocol/errors.ts";
import type { Channel } from "./request/channel.ts";
import { RequestContext } from "./request/context.ts";
import type { CallHandler } from "./request/request-handler.ts";
import type { ConnectionScope } from "./request/request-scope.ts";
import type { Runtime } from "./runtime.ts";

interface RootsWatchOptions {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly subscriptions: Subscriptions;
  /** Carries what belongs to no request. */
  readonly standing: Channel;
  readonly scope: ConnectionScope;
  /** Called when the subscriptions are renewed. */
  onRenewed(): void;
}

/** The context of a renewed watch runs no request. */
const WATCH: CallHandler = { run: () => ({}) };

/** Requests the roots now, and renews the subscriptions each time the client has sent them. */
export function watchRoots(options: RootsWatchOptions): void {
  const { runtime, session, standing, scope } = options;
  if (runtime.server.spec.followsRoots !== true || !session.client.can("roots")) return;
  const failed = (error: unknown): void => runtime.log("warning", `Cannot follow the client's roots: ${describeError(error)}`);
  session.onRoots = () => void renewSubscriptions(options).catch(failed);
  const requester = session.requester((text) => standing.notify(text));
  session.roots(requester, scope.signal, () => standing.open !== false).catch(failed);
}

/** A resource outside the new roots can no longer be watched, and the list of resources has changed. */
async function renewSubscriptions({ runtime, subscriptions, standing, scope, onRenewed }: RootsWatchOptions): Promise<void> {
  const details = { id: "", method: "resources/subscribe", params: {}, channel: standing, handler: WATCH };
  for (const uri of subscriptions.uris) {
    if (!subscriptions.remove(uri)) continue; // unsubscribed while another one was renewed
    const ctx = new RequestContext(scope, details);
    try {
      const { definition, variables } = findResource(runtime.server.resources, uri);
      await subscriptions.add(uri, (changed) => definition.watch(variables, changed, ctx, uri));
    } catch {
      runtime.log("info", "A subscription ended: its resource is outside the client's roots.");
    }
  }
  onRenewed();
}
