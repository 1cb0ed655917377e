// The open subscriptions of a client, by the id that each of their notifications carries.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { isId, isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import type { ClientConnection } from "../connection/client-connection.ts";
import { toChange, type ChangeNotification } from "../notifications/change-notification.ts";
import { SUBSCRIPTION_ID } from "../meta-keys.ts";
import { Subscription, type SubscriptionFilter, type SubscriptionOptions } from "./subscription.ts";

export interface SubscriptionListener extends Pick<SubscriptionOptions, "onOpen" | "onEnd"> {
  onChange?(change: ChangeNotification): void;
  /** Receives each new state of the tasks of the filter. */
  onTask?(task: Json): void;
}

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const TASK = "notifications/tasks";

export class SubscriptionRegistry {
  readonly #connection: ClientConnection;
  readonly #request: SubscriptionOptions["request"];
  readonly #byId = new Map<Id, { subscription: Subscription; listener: SubscriptionListener }>();
  /** Ids of closed subscriptions, whose notifications may still arrive. */
  readonly #closedIds = new Set<Id>();

  constructor(connection: ClientConnection, request: SubscriptionOptions["request"]) {
    this.#connection = connection;
    this.#request = request;
  }

  /** Opens a subscription. Its `close` does not call the listener. */
  open(filter: SubscriptionFilter, listener: SubscriptionListener): { close(): void } {
    let currentId: Id | undefined;
    const unregister = (): void => {
      if (currentId === undefined) return;
      this.#byId.delete(currentId);
      this.#closedIds.add(currentId);
    };
    const subscription: Subscription = new Subscription(filter, {
      request: this.#request,
      timeoutMs: this.#connection.timeoutMs,
      onRequest: (id) => {
        unregister();
        currentId = id;
        this.#byId.set(id, { subscription, listener });
      },
      onOpen: (accepted, isReopened) => listener.onOpen(accepted, isReopened),
      onEnd: (error) => {
        unregister();
        listener.onEnd(error);
      },
    });
    subscription.start();
    return {
      close: () => {
        unregister();
        subscription.close();
      },
    };
  }

  /** Passes a notification to its subscription; returns the change that it reports. */
  dispatch(method: string, params: Json): ChangeNotification | undefined {
    // On stdio a server cancels the request to end a subscription; the result that follows has no further effect.
    if (method === "notifications/cancelled" && isId(params.requestId)) this.#byId.get(params.requestId)?.subscription.end();
    const change = toChange(method, params);
    if (change === undefined && method !== ACKNOWLEDGED && method !== TASK) return undefined;
    const id = isObject(params._meta) ? params._meta[SUBSCRIPTION_ID] : undefined;
    const entry = isId(id) ? this.#byId.get(id) : undefined;
    if (entry === undefined) {
      const isLate = isId(id) && this.#closedIds.has(id);
      if (!isLate) this.#connection.options.onFault?.(`${method} for an unknown subscription: ${JSON.stringify(id)}`);
    } else if (change !== undefined) entry.listener.onChange?.(change);
    else if (method === TASK) entry.listener.onTask?.(params);
    else entry.subscription.acknowledge(params);
    return change;
  }
}
