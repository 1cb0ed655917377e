// Manages the subscriptions behind `onListChanged` and `client.subscribe`. A subscription cannot be changed, and closing one loses
// notifications that are on their way. Therefore each call opens a subscription of its own, and many of them are merged into one.
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConnection } from "../connection/client-connection.ts";
import { ConnectionClosedError, UnsupportedCapabilityError } from "../errors.ts";
import {
  allChanges,
  describeMissing,
  LIST_KINDS,
  type ChangeNotification,
  type NotificationFilter,
} from "../notifications/change-notification.ts";
import { WatchedResources, type OnUpdate } from "../notifications/watched-resources.ts";
import type { SubscriptionRegistry } from "./subscription-registry.ts";

/** Above this number subscriptions are merged, as servers allow a few dozen. */
const MAX_SUBSCRIPTIONS = 16;
/** Merged subscriptions stay open for this long, so that their pending notifications arrive. */
const LINGER_MS = 2000;

interface OpenSubscription {
  filter: NotificationFilter;
  close(): void;
}

export class SubscriptionManager {
  readonly #connection: ClientConnection;
  readonly #registry: SubscriptionRegistry;
  readonly #watched = new WatchedResources();
  readonly #open = new Set<OpenSubscription>();
  #batch: { uris: string[]; opening: Promise<OpenSubscription> } | undefined;
  /** Merged into another subscription, and kept open for pending notifications. */
  #lingering: readonly OpenSubscription[] = [];
  #isMerging = false;

  constructor(connection: ClientConnection, registry: SubscriptionRegistry) {
    this.#connection = connection;
    this.#registry = registry;
  }

  /** Calls `onListChanged` for changes of these lists from now on. */
  async subscribeToLists(filter: NotificationFilter): Promise<void> {
    const subscription = await this.#openSubscription(filter);
    const missing = describeMissing(subscription.filter, filter);
    if (missing !== undefined) this.#connection.options.onFault?.(missing);
  }

  async subscribe(uri: string, onUpdate: OnUpdate): Promise<void> {
    const isKnown = this.#watched.has(uri);
    this.#watched.set(uri, onUpdate);
    if (isKnown) return;
    try {
      const { filter } = await this.#addToBatch(uri);
      if (filter.uris?.includes(uri) !== true) throw new UnsupportedCapabilityError(`subscriptions to ${uri}`);
    } catch (error) {
      this.#watched.delete(uri);
      throw error;
    } finally {
      this.#closeUnused();
      if (this.#open.size > MAX_SUBSCRIPTIONS && !this.#isMerging) void this.#merge();
    }
  }

  unsubscribe(uri: string): void {
    this.#watched.delete(uri);
    this.#closeUnused();
  }

  /** Calls of `subscribe` in the same tick share one subscription. */
  #addToBatch(uri: string): Promise<OpenSubscription> {
    this.#batch ??= this.#startBatch();
    this.#batch.uris.push(uri);
    return this.#batch.opening;
  }

  #startBatch(): { uris: string[]; opening: Promise<OpenSubscription> } {
    const uris: string[] = [];
    const open = async (): Promise<OpenSubscription> => {
      await Promise.resolve(); // lets all calls of this tick join
      this.#batch = undefined;
      return this.#openSubscription({ uris });
    };
    return { uris, opening: open() };
  }

  #closeUnused(): void {
    for (const subscription of this.#open) {
      const { filter } = subscription;
      const isUnused = LIST_KINDS.every((list) => filter[list] !== true) && (filter.uris ?? []).every((uri) => !this.#watched.has(uri));
      if (!isUnused) continue;
      this.#open.delete(subscription);
      subscription.close();
    }
  }

  async #merge(): Promise<void> {
    this.#isMerging = true;
    const merged = [...this.#open];
    this.#open.clear();
    const lists = LIST_KINDS.filter((list) => merged.some(({ filter }) => filter[list] === true));
    try {
      await this.#openSubscription({ ...Object.fromEntries(lists.map((list) => [list, true])), uris: this.#watched.uris });
    } catch {
      for (const subscription of merged) this.#open.add(subscription); // the single subscriptions stay in use
      return;
    } finally {
      this.#isMerging = false;
    }
    this.#closeUnused(); // `unsubscribe` may have been called in the meantime
    for (const subscription of this.#lingering) subscription.close();
    this.#lingering = merged;
    await sleep(LINGER_MS, undefined, { signal: this.#connection.closedSignal, ref: false }).catch(() => undefined);
    if (this.#lingering === merged) for (const subscription of merged) subscription.close();
  }

  #notify(change: ChangeNotification): void {
    if (change.kind === "updated") this.#watched.updated(change.uri);
    else this.#connection.options.onListChanged?.(change.kind);
  }

  #openSubscription(filter: NotificationFilter): Promise<OpenSubscription> {
    return new Promise((resolve, reject) => {
      const subscription: OpenSubscription = { filter: {}, close: () => undefined };
      let wasOpened = false;
      const { close } = this.#registry.open(filter, {
        onChange: (change) => this.#notify(change),
        onOpen: (accepted, isReopened) => {
          subscription.filter = accepted;
          wasOpened = true;
          this.#open.add(subscription);
          if (isReopened) for (const change of allChanges(accepted)) this.#notify(change);
          resolve(subscription);
        },
        onEnd: (error) => {
          const reason = error ?? new Error("The server has ended it");
          if (!wasOpened) reject(reason);
          // A merged subscription is not in the set, and has no reader.
          else if (this.#open.delete(subscription)) this.#reportEnd(reason);
        },
      });
      subscription.close = close;
    });
  }

  #reportEnd(reason: Error): void {
    const { closedSignal, options } = this.#connection;
    if (!(reason instanceof ConnectionClosedError) && !closedSignal.aborted) options.onFault?.(`Subscription ended: ${reason.message}`);
  }
}
