// RemoteWatches: this node's watches of resources that clients of other nodes have subscribed to.
import { watchForOthers, type Runtime } from "@oarlock/server-kit/transport";

/** A watch ends this long after another node has last asked for it. */
const KEEP_MS = 60_000;

const MAX_WATCHES = 10_000;

interface RemoteWatch {
  stop: (() => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class RemoteWatches {
  readonly #runtime: Runtime;
  readonly #watches = new Map<string, RemoteWatch>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Watches an address for some more time. */
  renew(uri: string): void {
    const known = this.#watches.get(uri);
    if (known === undefined && this.#watches.size >= MAX_WATCHES) return;
    const watch = known ?? { stop: undefined, timer: undefined };
    clearTimeout(watch.timer);
    watch.timer = setTimeout(() => this.#end(uri), KEEP_MS);
    (watch.timer as { unref?(): void }).unref?.(); // Node: a watch does not keep the process alive
    if (known !== undefined) return;
    this.#watches.set(uri, watch);
    void this.#begin(uri, watch).catch(() => undefined); // clients of this node could not watch it either
  }

  async #begin(uri: string, watch: RemoteWatch): Promise<void> {
    const hasEnded = (): boolean => this.#watches.get(uri) !== watch;
    await this.#runtime.server.ready();
    if (hasEnded()) return;
    const stop = await watchForOthers(this.#runtime, uri);
    if (hasEnded()) stop?.();
    else watch.stop = stop;
  }

  #end(uri: string): void {
    const watch = this.#watches.get(uri);
    if (watch === undefined) return;
    this.#watches.delete(uri);
    clearTimeout(watch.timer);
    watch.stop?.();
  }

  close(): void {
    for (const uri of [...this.#watches.keys()]) this.#end(uri);
  }
}
