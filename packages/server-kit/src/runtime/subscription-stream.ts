// SubscriptionStream: one `subscriptions/listen`. Sends the requested notifications, each tagged with the request's id, until it ends.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { within } from "../features/awaitable.ts";
import { Subscriptions } from "../features/resources/subscriptions.ts";
import { invalidParams, toFailure } from "../protocol/errors.ts";
import { SUBSCRIPTION_ID } from "../protocol/meta.ts";
import { isObject, notificationText, responseText, type Json } from "../wire/json-rpc.ts";
import { RequestAborted } from "./request/abort.ts";
import type { RequestContext } from "./request/context.ts";
import type { Feature } from "./feature.ts";
import type { SubscriptionFilter } from "./extension/extension.ts";
import type { Runtime } from "./runtime.ts";

export const LISTEN = "subscriptions/listen";

/** Notifications that are kept while the watches begin. */
const MAX_EARLY = 1000;

interface ExtensionFilter {
  readonly key: string;
  readonly value: unknown;
  readonly filter: SubscriptionFilter;
}

interface Filter {
  readonly lists: ReadonlySet<Feature>;
  readonly uris: readonly string[];
  /** Keys of extensions. */
  readonly others: readonly ExtensionFilter[];
}

const LIST_KEYS: Record<Feature, string> = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
};

const FEATURES: readonly Feature[] = ["tools", "prompts", "resources"];

export class SubscriptionStream {
  readonly #runtime: Runtime;
  readonly #ctx: RequestContext;
  readonly #announcesEnd: boolean;
  readonly #onEnd: () => void;
  readonly #filter: Filter;
  readonly #subscriptions: Subscriptions;
  /** End what the stream listens to. */
  readonly #stops: (() => void)[] = [];
  /** Notifications before the acknowledgement, which must be first. */
  #early: string[] | undefined = [];
  #isClosed = false;

  /** Throws -32602 on an invalid filter. `onEnd` is called once. */
  constructor(runtime: Runtime, ctx: RequestContext, announcesEnd: boolean, onEnd: () => void) {
    this.#runtime = runtime;
    this.#ctx = ctx;
    this.#announcesEnd = announcesEnd;
    this.#onEnd = onEnd;
    this.#filter = readFilter(ctx, runtime);
    this.#subscriptions = new Subscriptions(runtime.limits.subscriptions, (uri) =>
      this.#notify("notifications/resources/updated", { uri }),
    );
  }

  /** Begins the watches, then acknowledges those that have begun. */
  async start(): Promise<void> {
    const { capabilities } = this.#runtime.server;
    const listChanged = (feature: Feature): void => this.#listChanged(feature);
    const resourceChanged = (uri: string): void => this.#subscriptions.changed(uri);
    const stopChanges = this.#runtime.services.changes?.listen({ listChanged, resourceChanged, missed: () => this.#missed() });
    this.#stops.push(this.#runtime.onListChange(listChanged), stopChanges ?? (() => undefined));
    const uris = capabilities.resources?.subscribe === true ? this.#filter.uris : [];
    const begun = new Set<string>();
    const watching = uris.map(async (uri) => (await this.#watch(uri)) && begun.add(uri));
    // The client waits for its acknowledgement, so watches have the time limit of a request to begin.
    await within(this.#runtime.limits.timeoutMs, Promise.race([Promise.all(watching), this.#aborted()]));
    // The acknowledgement leaves out what cannot be watched, or not in time.
    const watched = uris.filter((uri) => begun.has(uri));
    for (const uri of uris) if (!begun.has(uri)) this.#subscriptions.remove(uri);
    const notifications = await this.#openExtensionFilters();
    if (this.#isClosed) return this.#clear();
    for (const feature of FEATURES) if (this.#filter.lists.has(feature)) notifications[LIST_KEYS[feature]] = true;
    if (watched.length > 0) notifications.resourceSubscriptions = watched;
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#ctx.send(this.#text("notifications/subscriptions/acknowledged", { notifications }));
    for (const text of early) this.#ctx.send(text);
  }

  #listChanged(feature: Feature): void {
    if (this.#filter.lists.has(feature)) this.#notify(`notifications/${feature}/list_changed`);
  }

  /** Notifies of everything that may have changed elsewhere. */
  #missed(): void {
    for (const feature of this.#filter.lists) this.#listChanged(feature);
    for (const uri of this.#subscriptions.uris) this.#subscriptions.changed(uri);
  }

  async #watch(uri: string): Promise<boolean> {
    try {
      await this.#subscriptions.add(uri, (changed) => this.#runtime.watches.watch(uri, changed, this.#ctx));
      return true;
    } catch (error) {
      toFailure(error, this.#runtime.report); // logs an unexpected error; the acknowledgement has no place for reasons
      return false;
    }
  }

  async #openExtensionFilters(): Promise<Json> {
    const accepted: Json = {};
    for (const { key, value, filter } of this.#filter.others) {
      try {
        const open = await filter.open(value, this.#ctx, (method, params) => this.#notify(method, params));
        this.#stops.push(() => open.close());
        if (open.accepted !== undefined) accepted[key] = open.accepted;
      } catch (error) {
        toFailure(error, this.#runtime.report); // as in `#watch`
      }
    }
    return accepted;
  }

  #aborted(): Promise<void> {
    return new Promise((resolve) => this.#ctx.signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  #text(method: string, params: Json): string {
    return notificationText(method, { ...params, _meta: { [SUBSCRIPTION_ID]: this.#ctx.id } });
  }

  #notify(method: string, params: Json = {}): void {
    if (this.#isClosed) return;
    const text = this.#text(method, params);
    if (this.#early === undefined) this.#ctx.send(text);
    else if (this.#early.length < MAX_EARLY) this.#early.push(text);
  }

  #clear(): void {
    this.#subscriptions.clear();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #close(): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    this.#clear();
    this.#ctx.abort(new RequestAborted("closed", "the subscription has ended"));
    this.#onEnd();
    return true;
  }

  /** The client has cancelled, or disconnected: ends without a response. */
  drop(): void {
    if (this.#close()) this.#ctx.channel.complete(undefined);
  }

  /** The server shuts down: ends with a response. */
  end(): void {
    if (!this.#close()) return;
    const { id, channel, revision } = this.#ctx;
    if (this.#announcesEnd)
      channel.notify(notificationText("notifications/cancelled", { requestId: id, reason: "The server is shutting down" }));
    const result = this.#runtime.encodeResult(revision, LISTEN, { _meta: { [SUBSCRIPTION_ID]: id } });
    channel.complete(responseText(id, JSON.stringify(result)));
  }
}

/** The requested notifications, as far as the server has them. */
function readFilter(ctx: RequestContext, runtime: Runtime): Filter {
  const { limits } = runtime;
  const { capabilities, filters } = runtime.table(ctx.revision);
  const value = ctx.params.notifications;
  if (!isObject(value)) throw invalidParams("notifications: expected an object that names the notifications to send");
  const lists = FEATURES.filter((feature) => {
    const wanted = value[LIST_KEYS[feature]];
    if (wanted !== undefined && typeof wanted !== "boolean")
      throw invalidParams(`notifications.${LIST_KEYS[feature]}: expected true or false`);
    return wanted === true && capabilities[feature]?.listChanged === true;
  });
  const { resourceSubscriptions: uris = [] } = value;
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) {
    throw invalidParams("notifications.resourceSubscriptions: expected a list of addresses");
  }
  if (uris.length > limits.subscriptions)
    throw invalidParams(`notifications.resourceSubscriptions: at most ${limits.subscriptions} addresses`);
  const others = [...filters].filter(([key]) => value[key] !== undefined).map(([key, filter]) => ({ key, value: value[key], filter }));
  for (const { filter, value } of others) filter.check(value, ctx);
  return { lists: new Set(lists), uris: [...new Set(uris)], others };
}
