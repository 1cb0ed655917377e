// The callbacks of `client.subscribe`, by URI.
import { isCovered } from "./change-notification.ts";

export type OnUpdate = (uri: string) => void;

export class WatchedResources {
  readonly #callbacks = new Map<string, OnUpdate>();

  get uris(): string[] {
    return [...this.#callbacks.keys()];
  }

  has(uri: string): boolean {
    return this.#callbacks.has(uri);
  }

  set(uri: string, onUpdate: OnUpdate): void {
    this.#callbacks.set(uri, onUpdate);
  }

  delete(uri: string): boolean {
    return this.#callbacks.delete(uri);
  }

  /** Calls the callback of the URI itself, or else the callbacks of the URIs that it lies below. */
  updated(uri: string): void {
    const callback = this.#callbacks.get(uri);
    if (callback !== undefined) return callback(uri);
    for (const [watched, onUpdate] of this.#callbacks) if (isCovered(watched, uri)) onUpdate(uri);
  }
}
