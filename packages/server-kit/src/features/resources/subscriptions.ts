// Subscriptions: the watched resources of one client. One watch for each address, throttled, with no notification after its end.
// https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
import { invalidParams } from "../../protocol/errors.ts";
import { fireAndForget, type Awaitable } from "../awaitable.ts";
import type { StopWatching } from "./resource-types.ts";

/** Longest addresses of all subscriptions of one client together, in characters. */
const MAX_LENGTH = 256 * 1024;

/** Minimum time between two notifications of one address, in milliseconds. */
const QUIET_MS = 100;

interface Watched {
  /** Settles when the watch has begun or failed. */
  begun: Promise<void>;
  stop: StopWatching | undefined;
  ended: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  last: number;
}

export class Subscriptions {
  readonly #most: number;
  readonly #notify: (uri: string) => void;
  #watched: Map<string, Watched> | undefined;
  /** Characters of the watched addresses. */
  #length = 0;

  constructor(most: number, notify: (uri: string) => void) {
    this.#most = most;
    this.#notify = notify;
  }

  get uris(): string[] {
    return [...(this.#watched?.keys() ?? [])];
  }

  /** Starts a watch; a second one of the same address waits for the first. Rejects with the error of `start`. */
  async add(uri: string, start: (changed: () => void) => Awaitable<StopWatching>): Promise<void> {
    const known = this.#watched?.get(uri);
    if (known !== undefined) return known.begun;
    this.#watched ??= new Map();
    if (this.#watched.size >= this.#most) throw invalidParams(`At most ${this.#most} subscriptions; unsubscribe from some`);
    if (this.#length + uri.length > MAX_LENGTH)
      throw invalidParams(`uri: expected at most ${MAX_LENGTH} characters in all subscriptions; unsubscribe from some`);
    this.#length += uri.length;
    const watched: Watched = { begun: Promise.resolve(), stop: undefined, ended: false, timer: undefined, last: -Infinity };
    this.#watched.set(uri, watched);
    watched.begun = this.#begin(watched, uri, start);
    return watched.begun;
  }

  /**
   * Starts the watch of an address anew. The old one ends when the new one has begun, and one change is notified for those in between. Rejects with the
   * error of `start`, and the subscription has ended then. Nothing where the address is not watched.
   */
  async renew(uri: string, start: (changed: () => void) => Awaitable<StopWatching>): Promise<void> {
    const watched = this.#watched?.get(uri);
    if (watched === undefined) return;
    const before = watched.begun.catch(() => undefined);
    watched.begun = before.then(() => (watched.ended ? undefined : this.#begin(watched, uri, start)));
    return watched.begun;
  }

  async #begin(watched: Watched, uri: string, start: (changed: () => void) => Awaitable<StopWatching>): Promise<void> {
    try {
      const stop = await start(() => this.#changed(watched, uri));
      const before = watched.ended ? stop : watched.stop;
      if (!watched.ended) watched.stop = stop;
      if (before === undefined) return;
      fireAndForget(before);
      // The old watch may have ended with a change that the new one did not see any more.
      this.#changed(watched, uri);
    } catch (error) {
      // Unless the watch was ended meanwhile, and perhaps begun again.
      if (this.#watched?.get(uri) === watched) this.remove(uri);
      throw error;
    }
  }

  /** Ends a watch, if there is one. A watch that fails to stop must not keep others from stopping. */
  remove(uri: string): void {
    const watched = this.#watched?.get(uri);
    if (watched === undefined) return;
    this.#watched?.delete(uri);
    this.#length -= uri.length;
    watched.ended = true;
    clearTimeout(watched.timer);
    if (watched.stop !== undefined) fireAndForget(watched.stop);
  }

  /** Notifies of a change that was noticed elsewhere, if the address is watched. */
  changed(uri: string): void {
    const watched = this.#watched?.get(uri);
    if (watched !== undefined) this.#changed(watched, uri);
  }

  clear(): void {
    for (const uri of this.uris) this.remove(uri);
  }

  /** Notifies of the first change at once, and of quick further changes together. */
  #changed(watched: Watched, uri: string): void {
    if (watched.ended || watched.timer !== undefined) return;
    const tell = (): void => {
      watched.timer = undefined;
      watched.last = performance.now();
      if (!watched.ended) this.#notify(uri);
    };
    const wait = watched.last + QUIET_MS - performance.now();
    if (wait <= 0) tell();
    else watched.timer = setTimeout(tell, wait);
  }
}
