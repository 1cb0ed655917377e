// All subscriptions of one client, told apart by the id that each piece of news carries.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { isId, isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import type { Meeting } from "../connection/connection.ts";
import { newsOf, type ListenTo, type News } from "../notifications/change-notification.ts";
import { SUBSCRIPTION_ID } from "./envelope.ts";
import { Subscription, type SubscriptionSpec } from "./subscription.ts";

export interface Hears extends Pick<SubscriptionSpec, "opened" | "over"> {
  told(news: News): void;
}

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

export class Subscriptions {
  readonly #meeting: Meeting;
  readonly #request: SubscriptionSpec["request"];
  readonly #byId = new Map<Id, { subscription: Subscription; hears: Hears }>();
  /** Ids of old: news can be under way when a subscription is closed. */
  readonly #old = new Set<Id>();

  constructor(meeting: Meeting, request: SubscriptionSpec["request"]) {
    this.#meeting = meeting;
    this.#request = request;
  }

  /** Opens one; its `close` is not told to `hears`. */
  open(wish: ListenTo, hears: Hears): { close(): void } {
    const { timeoutMs } = this.#meeting;
    let current: Id | undefined;
    const leave = (): void => {
      if (current === undefined) return;
      this.#byId.delete(current);
      this.#old.add(current);
    };
    const subscription: Subscription = new Subscription(wish, {
      request: this.#request,
      timeoutMs,
      named: (id) => {
        leave();
        current = id;
        this.#byId.set(id, { subscription, hears });
      },
      opened: (to, again) => hears.opened(to, again),
      over: (error) => {
        leave();
        hears.over(error);
      },
    });
    subscription.start();
    return {
      close: () => {
        leave();
        subscription.close();
      },
    };
  }

  /** Takes a notification that belongs to a subscription; gives the news that it tells. */
  heard(method: string, params: Json): News | undefined {
    // On a pipe the server says so when it ends one; the result that follows says nothing new.
    if (method === "notifications/cancelled" && isId(params.requestId)) this.#byId.get(params.requestId)?.subscription.end();
    const news = newsOf(method, params);
    if (news === undefined && method !== ACKNOWLEDGED) return undefined;
    const id = isObject(params._meta) ? params._meta[SUBSCRIPTION_ID] : undefined;
    const entry = isId(id) ? this.#byId.get(id) : undefined;
    if (entry !== undefined && news === undefined) entry.subscription.acknowledged(params);
    else if (entry !== undefined && news !== undefined) entry.hears.told(news);
    else if (!isId(id) || !this.#old.has(id))
      this.#meeting.options.onFault?.(`${method} for a subscription that is none: ${JSON.stringify(id)}`);
    return news;
  }
}
