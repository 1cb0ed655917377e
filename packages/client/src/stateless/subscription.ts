// One `subscriptions/listen` request: sent, acknowledged, and sent again when its stream fails.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import type { PeerRequestOptions } from "../connection/json-rpc-peer.ts";
import { asError, HttpStatusError, InterruptedError, RequestTimeoutError } from "../errors.ts";
import { LIST_KINDS, type NotificationFilter } from "../notifications/change-notification.ts";
import { MAX_TIMER_MS } from "../timers.ts";

const LISTEN = "subscriptions/listen";

/** Delay before the first reconnection; doubled for each further attempt. */
const RECONNECT_DELAY_MS = 250;
/** Consecutive reconnections without an acknowledgement. */
const MAX_RECONNECTIONS = 7;

/** `taskIds`: the tasks whose states are to be sent. */
export interface SubscriptionFilter extends NotificationFilter {
  taskIds?: readonly string[];
}

export interface SubscriptionOptions {
  request(method: string, params: Json, options: PeerRequestOptions): Promise<Json>;
  /** Called with the request id that identifies the notifications of this subscription from now on. */
  onRequest(id: Id): void;
  /** The server has accepted `accepted`, possibly less than requested. `isReopened`: notifications may have been missed before. */
  onOpen(accepted: SubscriptionFilter, isReopened: boolean): void;
  /** Called once, when the server has ended the subscription (without an error) or reconnecting has failed. */
  onEnd(error?: Error): void;
  /** Timeout of the first acknowledgement. */
  timeoutMs: number;
}

export class Subscription {
  readonly #filter: SubscriptionFilter;
  readonly #options: SubscriptionOptions;
  readonly #closing = new AbortController();
  #wasOpened = false;
  #reconnections = 0;
  #hasEnded = false;
  #acknowledgeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(filter: SubscriptionFilter, options: SubscriptionOptions) {
    this.#filter = filter;
    this.#options = options;
  }

  start(): void {
    const { timeoutMs } = this.#options;
    const onTimeout = (): void => this.#closing.abort(new RequestTimeoutError(LISTEN, timeoutMs, false));
    this.#acknowledgeTimer = setTimeout(onTimeout, Math.min(timeoutMs, MAX_TIMER_MS));
    void this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const params = { notifications: toWireFilter(this.#filter) };
    const requestOptions = { signal, timeoutMs: Infinity, maxTotalMs: Infinity, onSend: (id: Id) => this.#options.onRequest(id) };
    for (;;) {
      try {
        await this.#options.request(LISTEN, params, requestOptions);
        return this.end();
      } catch (error) {
        const isFinal = !this.#wasOpened || !isTransient(error) || this.#reconnections === MAX_RECONNECTIONS;
        if (signal.aborted || isFinal) return this.end(asError(error));
      }
      await sleep(RECONNECT_DELAY_MS * 2 ** this.#reconnections++, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return this.end();
    }
  }

  end(error?: Error): void {
    clearTimeout(this.#acknowledgeTimer);
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd(error);
  }

  /** Handles the server's acknowledgement. */
  acknowledge({ notifications }: Json): void {
    if (this.#hasEnded || this.#closing.signal.aborted) return;
    clearTimeout(this.#acknowledgeTimer);
    const isReopened = this.#wasOpened;
    this.#wasOpened = true;
    this.#reconnections = 0;
    this.#options.onOpen(fromWireFilter(isObject(notifications) ? notifications : {}), isReopened);
  }

  /** Ends the subscription without calling `onEnd`. */
  close(): void {
    clearTimeout(this.#acknowledgeTimer);
    this.#hasEnded = true;
    this.#closing.abort(new Error("The subscription was closed"));
  }
}

/** Whether another attempt may succeed. */
function isTransient(error: unknown): boolean {
  return error instanceof InterruptedError || (error instanceof HttpStatusError && (error.status >= 500 || error.status === 429));
}

const WIRE_KEYS = { tools: "toolsListChanged", prompts: "promptsListChanged", resources: "resourcesListChanged" } as const;

function toWireFilter({ uris = [], taskIds, ...filter }: SubscriptionFilter): Json {
  const lists = LIST_KINDS.filter((list) => filter[list] === true).map((list) => [WIRE_KEYS[list], true]);
  return {
    ...Object.fromEntries(lists),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
    ...(taskIds !== undefined && { taskIds }),
  };
}

function fromWireFilter(wireFilter: Json): SubscriptionFilter {
  const lists = LIST_KINDS.filter((list) => wireFilter[WIRE_KEYS[list]] === true).map((list) => [list, true]);
  const filter: SubscriptionFilter = Object.fromEntries(lists);
  const { resourceSubscriptions: uris, taskIds } = wireFilter;
  if (Array.isArray(uris) && uris.length > 0) filter.uris = uris.filter((uri) => typeof uri === "string");
  if (Array.isArray(taskIds)) filter.taskIds = taskIds.filter((id) => typeof id === "string");
  return filter;
}
