// Who here hears of which resources, by `subscribe`.
import { covers } from "./change-notification.ts";

export type OnUpdate = (uri: string) => void;

export class Watched {
  readonly #byUri = new Map<string, OnUpdate>();

  get uris(): string[] {
    return [...this.#byUri.keys()];
  }

  has(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  set(uri: string, onUpdate: OnUpdate): void {
    this.#byUri.set(uri, onUpdate);
  }

  delete(uri: string): boolean {
    return this.#byUri.delete(uri);
  }

  /** A notice is for the address itself, or else for those that it lies below. */
  updated(uri: string): void {
    const exact = this.#byUri.get(uri);
    if (exact !== undefined) return exact(uri);
    for (const [watched, onUpdate] of this.#byUri) if (covers(watched, uri)) onUpdate(uri);
  }
}
