// Who watches which resource: one watch per address and peer, thinned out, and nothing after its end.
// https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
import { invalidParams } from "../../protocol/errors.ts";
import { fireAndForget, type Awaitable } from "../awaitable.ts";
import type { StopWatching } from "./resource-types.ts";

/** At least this long between two notices of one address, in milliseconds. */
const QUIET_MS = 100;

interface Watched {
  /** Settles when the watch has begun, or cannot. */
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

  constructor(most: number, notify: (uri: string) => void) {
    this.#most = most;
    this.#notify = notify;
  }

  get uris(): string[] {
    return [...(this.#watched?.keys() ?? [])];
  }

  /** Starts a watch; a second one for the same address only waits for the first. Rejects with what `start` throws. */
  async add(uri: string, start: (changed: () => void) => Awaitable<StopWatching>): Promise<void> {
    const known = this.#watched?.get(uri);
    if (known !== undefined) return known.begun;
    this.#watched ??= new Map();
    if (this.#watched.size >= this.#most) throw invalidParams(`At most ${this.#most} subscriptions; unsubscribe from some`);
    const watched: Watched = { begun: Promise.resolve(), stop: undefined, ended: false, timer: undefined, last: -Infinity };
    this.#watched.set(uri, watched);
    watched.begun = this.#begin(watched, uri, start);
    return watched.begun;
  }

  async #begin(watched: Watched, uri: string, start: (changed: () => void) => Awaitable<StopWatching>): Promise<void> {
    try {
      const stop = await start(() => this.#changed(watched, uri));
      if (watched.ended) fireAndForget(stop);
      else watched.stop = stop;
    } catch (error) {
      // Unless it was ended meanwhile, and perhaps begun anew by somebody else.
      if (this.#watched?.get(uri) === watched) this.remove(uri);
      throw error;
    }
  }

  /** Ends a watch; false when there was none. One that fails to stop must not keep the others from stopping. */
  remove(uri: string): boolean {
    const watched = this.#watched?.get(uri);
    if (watched === undefined) return false;
    this.#watched?.delete(uri);
    watched.ended = true;
    clearTimeout(watched.timer);
    if (watched.stop !== undefined) fireAndForget(watched.stop);
    return true;
  }

  clear(): void {
    for (const uri of this.uris) this.remove(uri);
  }

  /** The first change is told at once; those that follow quickly are told together. */
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
