// One `subscriptions/listen`: opened, acknowledged, and opened again when its stream breaks.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import { setTimeout as pause } from "node:timers/promises";
import { isObject, type Id, type Json } from "@oarlock/server-kit/protocol";
import { asError, HttpRefused, Interrupted, TimedOut } from "../errors.ts";
import type { Asking } from "../connection/json-rpc-peer.ts";
import { LISTS, type ListenTo } from "../notifications/change-notification.ts";

export const LISTEN = "subscriptions/listen";

/** Before a stream that broke is opened again; twice as long each time. */
const PAUSE_MS = 250;
/** Tries in a row without an acknowledgement. */
const MOST_TRIES = 7;
/** Longer than this and a timer of the platform would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export interface SubscriptionSpec {
  request(method: string, params: Json, options: Asking): Promise<Json>;
  /** From here on notifications with this id are this subscription's. */
  named(id: Id): void;
  /** The stream is open for this, perhaps less than was asked for; `again` when something may have been missed before. */
  opened(to: ListenTo, again: boolean): void;
  /** It is over: ended by the server, or by an error. Called once. */
  over(error?: Error): void;
  /** How long the first acknowledgement may take. */
  timeoutMs: number;
}

export class Subscription {
  readonly #wish: ListenTo;
  readonly #spec: SubscriptionSpec;
  readonly #closing = new AbortController();
  #open = false;
  #tries = 0;
  #over = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wish: ListenTo, spec: SubscriptionSpec) {
    this.#wish = wish;
    this.#spec = spec;
  }

  start(): void {
    const { timeoutMs } = this.#spec;
    this.#timer = setTimeout(() => this.#closing.abort(new TimedOut(LISTEN, timeoutMs, false)), Math.min(timeoutMs, LONGEST_MS));
    void this.#keep();
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      try {
        const params = { notifications: filterOf(this.#wish) };
        const endless = { timeoutMs: Infinity, maxTotalMs: Infinity };
        await this.#spec.request(LISTEN, params, { signal, ...endless, leaves: (id) => this.#spec.named(id) });
        return this.end();
      } catch (error) {
        const fails = !this.#open || !mayPass(error) || this.#tries === MOST_TRIES;
        if (signal.aborted || fails) return this.end(asError(error));
      }
      await pause(PAUSE_MS * 2 ** this.#tries++, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return this.end();
    }
  }

  /** Nothing more will come. */
  end(error?: Error): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    this.#over = true;
    this.#spec.over(error);
  }

  /** The server says what it will tell of. */
  acknowledged({ notifications }: Json): void {
    if (this.#over || this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    const to = readFilter(isObject(notifications) ? notifications : {});
    const again = this.#open;
    this.#open = true;
    this.#tries = 0;
    this.#spec.opened(to, again);
  }

  /** Nobody listens any more; its end is not told. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over = true;
    this.#closing.abort(new Error("Nobody listens any more"));
  }
}

/** What may be better at the next try. */
function mayPass(error: unknown): boolean {
  return error instanceof Interrupted || (error instanceof HttpRefused && (error.status >= 500 || error.status === 429));
}

const KEYS = { tools: "toolsListChanged", prompts: "promptsListChanged", resources: "resourcesListChanged" } as const;

function filterOf(to: ListenTo): Json {
  const lists = LISTS.filter((list) => to[list] === true).map((list) => [KEYS[list], true]);
  return { ...Object.fromEntries(lists), ...(to.uris !== undefined && to.uris.length > 0 && { resourceSubscriptions: to.uris }) };
}

function readFilter(filter: Json): ListenTo {
  const to: ListenTo = Object.fromEntries(LISTS.filter((list) => filter[KEYS[list]] === true).map((list) => [list, true]));
  const { resourceSubscriptions: uris } = filter;
  if (Array.isArray(uris) && uris.length > 0) to.uris = uris.filter((uri) => typeof uri === "string");
  return to;
}
