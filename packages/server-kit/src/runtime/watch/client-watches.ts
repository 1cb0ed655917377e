// ClientWatches: the resources that one client of the handshake era watches. They follow its roots, for servers whose resources depend on them.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
import type { StopWatching } from "../../features/resources/resource-types.ts";
import { Subscriptions } from "../../features/resources/subscriptions.ts";
import type { Session } from "../../peer/session.ts";
import { describeError } from "../../protocol/errors.ts";
import type { Channel } from "../request/channel.ts";
import { RequestContext } from "../request/context.ts";
import type { Runtime } from "../runtime.ts";

type StartWatch = (changed: () => void) => Promise<StopWatching>;

export class ClientWatches {
  readonly subscriptions: Subscriptions;
  readonly #runtime: Runtime;
  readonly #standing: Channel;

  /** `standing` carries what belongs to no request. */
  constructor(runtime: Runtime, standing: Channel, notify: (uri: string) => void) {
    this.#runtime = runtime;
    this.#standing = standing;
    this.subscriptions = new Subscriptions(runtime.limits.subscriptions, notify);
  }

  /**
   * Requests the roots now, and renews the subscriptions each time the client has sent them. `onRenewed` is called when the subscriptions
   * are renewed.
   */
  followRoots(session: Session, onRenewed: () => void): void {
    const [runtime, standing] = [this.#runtime, this.#standing];
    if (runtime.server.spec.followsRoots !== true || !session.client.can("roots")) return;
    const failed = (error: unknown): void => runtime.log("warning", `Cannot follow the client's roots: ${describeError(error)}`);
    session.onRoots = () => void this.renew(session).then(onRenewed).catch(failed);
    const requester = session.requester((text) => standing.notify(text));
    session.roots(requester, standing.isOpen).catch(failed);
  }

  /** A resource outside the new roots can no longer be watched, and the list of resources has changed. */
  async renew(session: Session): Promise<void> {
    for (const uri of this.subscriptions.uris) await this.#begin(session, uri, (start) => this.subscriptions.renew(uri, start));
  }

  /** Watches a resource for the client, outside of any request. The subscription ends when the resource cannot be watched any more. */
  async watch(session: Session, uri: string): Promise<void> {
    await this.#begin(session, uri, (start) => this.subscriptions.add(uri, start));
  }

  async #begin(session: Session, uri: string, add: (start: StartWatch) => Promise<void>): Promise<void> {
    const runtime = this.#runtime;
    const ctx = RequestContext.ofWatch(runtime, session, this.#standing);
    try {
      await add((changed) => runtime.watches.watch(uri, changed, ctx));
    } catch {
      session.onChange?.((state) => ({ ...state, uris: state.uris.filter((one) => one !== uri) }));
      runtime.log("info", "A subscription ended: its resource is outside the client's roots.");
    }
  }
}
