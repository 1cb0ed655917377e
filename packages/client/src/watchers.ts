// Who wants to hear of changes to which resource.
// https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions

export type OnUpdate = (uri: string) => void;

export class Watchers {
  readonly #byUri = new Map<string, OnUpdate>();

  set(uri: string, onUpdate: OnUpdate): void {
    this.#byUri.set(uri, onUpdate);
  }

  delete(uri: string): void {
    this.#byUri.delete(uri);
  }

  /** A notice is for the address itself, or else for those that it lies below: a folder hears of its files. */
  updated(uri: string): void {
    const exact = this.#byUri.get(uri);
    if (exact !== undefined) return exact(uri);
    for (const [watched, onUpdate] of this.#byUri) {
      if (uri.startsWith(watched.endsWith("/") ? watched : `${watched}/`)) onUpdate(uri);
    }
  }
}
