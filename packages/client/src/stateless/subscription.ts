// One `subscriptions/listen` request: sent, acknowledged, and sent again when its stream ends, as another node or the next process may serve it.
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
/** Consecutive reconnections without a stream that lasted. */
const MAX_RECONNECTIONS = 7;
/** A stream that was open for this long has lasted. */
const LASTING_MS = 5000;

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
  /** Called once, when reconnecting has failed: without an error when the server had ended the subscription before. */
  onEnd(error?: Error): void;
  /** Timeout of an acknowledgement. */
  timeoutMs: number;
}

export class Subscription {
  readonly #filter: SubscriptionFilter;
  readonly #options: SubscriptionOptions;
  readonly #closing = new AbortController();
  #wasOpened = false;
  #openedAt = Infinity;
  /** The server has ended the latest stream by a result. */
  #wasEnded = false;
  #reconnections = 0;
  #hasEnded = false;
  #acknowledgeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(filter: SubscriptionFilter, options: SubscriptionOptions) {
    this.#filter = filter;
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        await this.#listen();
        if (this.#hasEnded || !this.#wasOpened) return this.end();
        this.#wasEnded = true;
      } catch (error) {
        const isFinal = signal.aborted || !this.#wasOpened || !isTransient(error);
        if (isFinal || this.#reconnections === MAX_RECONNECTIONS) return this.end(this.#wasEnded ? undefined : asError(error));
      }
      if (performance.now() - this.#openedAt > LASTING_MS) this.#reconnections = 0;
      if (this.#reconnections === MAX_RECONNECTIONS) return this.end();
      await sleep(RECONNECT_DELAY_MS * 2 ** this.#reconnections++, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return this.end();
    }
  }

  /** One request. Resolves when the server ends it. */
  async #listen(): Promise<void> {
    const { timeoutMs, request, onRequest } = this.#options;
    const silence = new AbortController();
    const onTimeout = (): void => silence.abort(new RequestTimeoutError(LISTEN, timeoutMs, false));
    this.#acknowledgeTimer = setTimeout(onTimeout, Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      const signal = AbortSignal.any([this.#closing.signal, silence.signal]);
      const params = { notifications: toWireFilter(this.#filter) };
      await request(LISTEN, params, { signal, timeoutMs: Infinity, maxTotalMs: Infinity, onSend: (id) => onRequest(id) });
    } finally {
      clearTimeout(this.#acknowledgeTimer);
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
    this.#openedAt = performance.now();
    this.#wasEnded = false;
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
  return (
    error instanceof InterruptedError ||
    error instanceof RequestTimeoutError ||
    (error instanceof HttpStatusError && (error.status >= 500 || error.status === 429))
  );
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
