// One `subscriptions/listen`: news of the kinds that were asked for, each tagged with the request's id, until it ends.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { findResource } from "../features/resources.ts";
import { Subscriptions } from "../features/subscriptions.ts";
import { invalidParams, toFailure } from "../protocol/errors.ts";
import { SUBSCRIPTION_ID } from "../protocol/meta.ts";
import { isObject, notificationText, resultText, type Json } from "../wire/json-rpc.ts";
import { RequestAborted } from "./abort.ts";
import type { RequestContext } from "./context.ts";
import type { Server } from "./define.ts";
import type { Runtime } from "./endpoint.ts";
import { encodeResult } from "./encode-result.ts";

export const LISTEN = "subscriptions/listen";

export type Feature = "tools" | "resources" | "prompts";

interface Filter {
  readonly lists: ReadonlySet<Feature>;
  readonly uris: readonly string[];
}

const LIST_KEYS: Record<Feature, string> = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
};

const FEATURES: readonly Feature[] = ["tools", "prompts", "resources"];

export class SubscriptionStream {
  readonly #endpoint: Runtime;
  readonly #ctx: RequestContext;
  readonly announcesEnd: boolean;
  readonly #gone: () => void;
  readonly #filter: Filter;
  readonly #subscriptions: Subscriptions;
  #unlisten: (() => void) | undefined;
  /** News that came before the acknowledgement, which must be first. */
  #early: string[] | undefined = [];
  #over = false;

  /** Throws -32602 on a faulty filter. `gone` is called once, when it has ended. */
  constructor(endpoint: Runtime, ctx: RequestContext, announces: boolean, gone: () => void) {
    this.#endpoint = endpoint;
    this.#ctx = ctx;
    this.announcesEnd = announces;
    this.#gone = gone;
    this.#filter = readFilter(ctx.params.notifications, endpoint);
    this.#subscriptions = new Subscriptions(endpoint.limits.subscriptions, (uri) => this.#tell("notifications/resources/updated", { uri }));
  }

  /** Begins to watch, then acknowledges what will be told. */
  async start(): Promise<void> {
    const { resources, capabilities } = this.#endpoint.server;
    this.#unlisten = this.#endpoint.onListChange((feature) => {
      if (this.#filter.lists.has(feature)) this.#tell(`notifications/${feature}/list_changed`);
    });
    const uris = capabilities.resources?.subscribe === true ? this.#filter.uris : [];
    const begun = uris.map((uri) => this.#watch(resources, uri));
    const patience = this.#patience();
    const watched: string[] = [];
    for (const [at, uri] of uris.entries()) {
      // What cannot be watched, or not in time, is left out of the acknowledgement.
      if (await Promise.race([begun[at], patience.over])) watched.push(uri);
      else this.#subscriptions.remove(uri);
    }
    patience.end();
    if (this.#over) return this.#subscriptions.clear();
    const notifications: Json = {};
    for (const feature of FEATURES) if (this.#filter.lists.has(feature)) notifications[LIST_KEYS[feature]] = true;
    if (watched.length > 0) notifications.resourceSubscriptions = watched;
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#ctx.channel.notify(this.#text("notifications/subscriptions/acknowledged", { notifications }));
    for (const text of early) this.#ctx.channel.notify(text);
  }

  async #watch(resources: Server["resources"], uri: string): Promise<boolean> {
    try {
      const { definition, variables } = findResource(resources, uri);
      await this.#subscriptions.add(uri, (changed) => definition.watch(variables, changed, this.#ctx, uri));
      return true;
    } catch (error) {
      toFailure(error, this.#endpoint.report); // the acknowledgement has no room for reasons; what nobody expected is in our log
      return false;
    }
  }

  /** Watches may take so long to begin: the client waits for its acknowledgement. Over with the subscription, too. */
  #patience(): { over: Promise<false>; end(): void } {
    const { signal } = this.#ctx;
    let end = (): void => undefined;
    const over = new Promise<false>((resolve) => {
      const give = (): void => resolve(false);
      const timer = setTimeout(give, this.#endpoint.limits.timeoutMs);
      signal.addEventListener("abort", give);
      end = () => (clearTimeout(timer), signal.removeEventListener("abort", give));
    });
    return { over, end };
  }

  #text(method: string, params: Json): string {
    return notificationText(method, { ...params, _meta: { [SUBSCRIPTION_ID]: this.#ctx.id } });
  }

  #tell(method: string, params: Json = {}): void {
    if (this.#over) return;
    const text = this.#text(method, params);
    if (this.#early === undefined) this.#ctx.channel.notify(text);
    else if (this.#early.length < 1000) this.#early.push(text);
  }

  #stop(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#unlisten?.();
    this.#subscriptions.clear();
    this.#ctx.stop(new RequestAborted("closed", "the subscription has ended"));
    this.#gone();
    return true;
  }

  /** The client has gone, or wants no more: nothing is said any more. */
  drop(): void {
    if (this.#stop()) this.#ctx.channel.complete(undefined);
  }

  /** The server ends it. */
  end(): void {
    if (!this.#stop()) return;
    const { id, channel, revision } = this.#ctx;
    if (this.announcesEnd)
      channel.notify(notificationText("notifications/cancelled", { requestId: id, reason: "The server is shutting down" }));
    const result = encodeResult(this.#endpoint.server, revision, LISTEN, { _meta: { [SUBSCRIPTION_ID]: id } });
    channel.complete(resultText(id, JSON.stringify(result)));
  }
}

/** What is asked for, as far as the server has it. */
function readFilter(value: unknown, { server: { capabilities }, limits }: Runtime): Filter {
  if (!isObject(value)) throw invalidParams("notifications: expected an object that says what to be told of");
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
  return { lists: new Set(lists), uris: [...new Set(uris)] };
}
