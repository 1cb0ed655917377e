// RemoteWatches: this node's watches of resources that clients of other nodes have subscribed to.
import type { StopWatching } from "../../../../features/resources/resource-types.ts";
import { findResource } from "../../../../features/resources/resource-requests.ts";
import { fireAndForget } from "../../../../features/awaitable.ts";
import { StatelessPeer } from "../../../../peer/stateless-peer.ts";
import { find, REVISIONS } from "../../../../revisions/index.ts";
import type { Channel } from "../../../../server/request/channel.ts";
import { RequestContext } from "../../../../server/request/context.ts";
import { StatelessScope } from "../../../../server/request/request-scope.ts";
import type { Runtime } from "../../../../server/runtime.ts";

/** A watch ends this long after another node has last asked for it. */
const KEEP_MS = 60_000;

const MAX_WATCHES = 10_000;

interface RemoteWatch {
  stop: StopWatching | undefined;
  hasEnded: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The context of a watch runs no request, and sends nothing. */
const SILENT: Channel = { complete: () => undefined, notify: () => undefined, refuse: () => undefined };

export class RemoteWatches {
  readonly #runtime: Runtime;
  readonly #onChange: (uri: string) => void;
  readonly #watches = new Map<string, RemoteWatch>();
  readonly #closed = new AbortController();

  constructor(runtime: Runtime, onChange: (uri: string) => void) {
    this.#runtime = runtime;
    this.#onChange = onChange;
  }

  /** Watches an address for some more time. */
  renew(uri: string): void {
    const known = this.#watches.get(uri);
    if (known === undefined && this.#watches.size >= MAX_WATCHES) return;
    const watch = known ?? { stop: undefined, hasEnded: false, timer: undefined };
    clearTimeout(watch.timer);
    watch.timer = setTimeout(() => this.#end(uri), KEEP_MS);
    (watch.timer as { unref?(): void }).unref?.(); // Node: a watch does not keep the process alive
    if (known !== undefined) return;
    this.#watches.set(uri, watch);
    void this.#begin(uri, watch).catch(() => undefined); // clients of this node could not watch it either
  }

  async #begin(uri: string, watch: RemoteWatch): Promise<void> {
    const { server } = this.#runtime;
    await server.ready();
    const { definition, variables } = findResource(server.resources, uri);
    if (definition.noticesOtherProcesses === true || watch.hasEnded) return;
    const stop = await definition.watch(variables, () => watch.hasEnded || this.#onChange(uri), this.#context(), uri);
    if (watch.hasEnded) fireAndForget(stop);
    else watch.stop = stop;
  }

  #context(): RequestContext {
    const runtime = this.#runtime;
    const revision = find(REVISIONS[0]);
    if (revision === undefined) throw new Error("No revision.");
    const peer = new StatelessPeer(
      { version: revision.id, capabilities: {}, clientInfo: undefined, logLevel: undefined },
      revision,
      Infinity,
    );
    const scope = new StatelessScope(peer, { runtime, signal: () => this.#closed.signal, logs: "none" });
    return new RequestContext(scope, { id: "", method: "subscriptions/listen", params: {}, channel: SILENT, handler: { run: () => ({}) } });
  }

  #end(uri: string): void {
    const watch = this.#watches.get(uri);
    if (watch === undefined) return;
    this.#watches.delete(uri);
    watch.hasEnded = true;
    clearTimeout(watch.timer);
    if (watch.stop !== undefined) fireAndForget(watch.stop);
  }

  close(): void {
    for (const uri of [...this.#watches.keys()]) this.#end(uri);
    this.#closed.abort();
  }
}
