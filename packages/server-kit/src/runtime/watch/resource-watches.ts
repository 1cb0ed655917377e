// ResourceWatches: the watches of one running server. A resource is watched once for all clients that have subscribed to it
// and see the same of it: those for which `subscribe` returned the same source.
import { fireAndForget, type Awaitable } from "../../features/awaitable.ts";
import type { Context } from "../../features/context.ts";
import { findResource, type FoundResource } from "../../features/resources/resource-requests.ts";
import type { Registry } from "../../features/registry.ts";
import type { ResourceDefinition, StopWatching } from "../../features/resources/resource-types.ts";
import type { Channel } from "../request/channel.ts";
import type { ChangeBus, Services } from "../services.ts";

/** Who watches. The context of a request has its channel, which names in whose count. */
type WatchContext = Context & { readonly channel?: Pick<Channel, "caller"> };

/** Throws when a client may not know a resource. */
type ResourceCheck = (uri: string, ctx: Context) => Awaitable<void>;

export class ResourceWatches {
  readonly #resources: Registry<ResourceDefinition>;
  readonly #services: Services;
  readonly #check: ResourceCheck;
  /** By address, then by source. */
  readonly #watches = new Map<string, Map<unknown, SharedWatch>>();
  /** How many resources each caller with a name watches, over all its sessions and streams. */
  readonly #counts = new Map<string, number>();

  constructor(resources: Registry<ResourceDefinition>, services: Services, check: ResourceCheck) {
    this.#resources = resources;
    this.#check = check;
    this.#services = services;
  }

  /**
   * Calls `changed` after changes that this process notices, until the returned function is called. Throws what the resource's `subscribe`
   * throws for this client, and "not found" for an unknown address.
   */
  async watch(uri: string, changed: () => void, ctx: WatchContext): Promise<StopWatching> {
    const caller = ctx.channel?.caller;
    this.#count(caller, 1);
    try {
      await this.#check(uri, ctx);
      const found = findResource(this.#resources, uri);
      const unsubscribe = await this.#join(found, uri, ctx, changed);
      const end = this.#changesOf(found)?.watched(uri);
      return () => {
        this.#count(caller, -1);
        end?.();
        unsubscribe();
      };
    } catch (error) {
      this.#count(caller, -1);
      throw error;
    }
  }

  /** Resources that a caller watches: one that two of its sessions watch counts twice. */
  countOf(caller: string): number {
    return this.#counts.get(caller) ?? 0;
  }

  #count(caller: string | undefined, change: 1 | -1): void {
    if (caller === undefined) return;
    const count = this.countOf(caller) + change;
    if (count === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, count);
  }

  /** The same for the clients of other processes: changes are published. Undefined when these notice its changes themselves. */
  async watchForOthers(uri: string, ctx: Context): Promise<StopWatching | undefined> {
    const found = findResource(this.#resources, uri);
    return this.#changesOf(found) && (await this.#join(found, uri, ctx, () => undefined));
  }

  /** Where changes of a resource are published; undefined where no other process needs them. */
  #changesOf({ definition }: FoundResource): ChangeBus | undefined {
    return definition.noticesOtherProcesses === true ? undefined : this.#services.changes;
  }

  async #join(found: FoundResource, uri: string, ctx: Context, changed: () => void): Promise<StopWatching> {
    const { definition, variables } = found;
    const source = await definition.subscribe(variables, ctx, uri);
    const bySource = this.#watches.get(uri) ?? new Map<unknown, SharedWatch>();
    this.#watches.set(uri, bySource);
    const known = bySource.get(source);
    // The address may belong to another definition by now.
    if (known?.definition === definition) return known.join(changed);
    const changes = this.#changesOf(found);
    const watch = new SharedWatch(definition, {
      start(notify) {
        const publish = (): void => {
          notify();
          changes?.resourceChanged(uri);
        };
        return definition.watch(variables, publish, uri, source);
      },
      ended: () => {
        if (bySource.get(source) === watch) bySource.delete(source);
        if (bySource.size === 0 && this.#watches.get(uri) === bySource) this.#watches.delete(uri);
      },
    });
    bySource.set(source, watch);
    return watch.join(changed);
  }
}

interface WatchSteps {
  start(notify: () => void): Awaitable<StopWatching>;
  ended(): void;
}

/** One watch of a resource. It starts with its first subscriber, and ends with the last one. */
class SharedWatch {
  readonly definition: ResourceDefinition;
  readonly #steps: WatchSteps;
  readonly #subscribers = new Set<{ changed(): void }>();
  #stop: Promise<StopWatching> | undefined;

  constructor(definition: ResourceDefinition, steps: WatchSteps) {
    this.definition = definition;
    this.#steps = steps;
  }

  async #start(): Promise<StopWatching> {
    return this.#steps.start(() => this.#subscribers.forEach((subscriber) => subscriber.changed()));
  }

  /** Adds a subscriber; settles when the watch has started. Rejects with the error of its start. */
  async join(changed: () => void): Promise<StopWatching> {
    const subscriber = { changed };
    const unsubscribe = (): void => {
      if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
      this.#steps.ended();
      void this.#stop?.then(fireAndForget, () => undefined);
    };
    this.#subscribers.add(subscriber);
    try {
      await (this.#stop ??= this.#start());
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return unsubscribe;
  }
}
