// Services: what a running server gets from its transport in place of what one process has by itself. Each has a default.
import type { Feature } from "./feature.ts";
import type { UsedConfirmations } from "./request/used-confirmations.ts";

/** What a listener learns of other processes. */
export interface ChangeListener {
  listChanged(feature: Feature): void;
  resourceChanged(uri: string): void;
  /** Changes may have been missed: any list and any resource may have changed. */
  missed(): void;
}

/** Changes that one process notices, and that the clients of others have to know. */
export interface ChangeBus {
  /** Calls back with changes that other processes notice, until the returned function is called. */
  listen(listener: ChangeListener): () => void;
  /** A client of this process watches a resource: the others watch it too. Returns a function that ends this. */
  watched(uri: string): () => void;
  /** Notifies the others of a change that this process has noticed. */
  resourceChanged(uri: string): void;
}

/** What a transport provides for its server. */
export interface Services {
  /** Set before the first request is served. Default: clients are notified of what this process notices. */
  readonly changes?: ChangeBus | undefined;
  /** Where the confirmations of users are marked as used. `ttlMs`: how long a client may send one. Default: in this process. */
  usedConfirmations?(ttlMs: number): UsedConfirmations;
  /** What the extension with this id gets, in a type that both have agreed on. Default: nothing. */
  forExtension?(id: string): unknown;
}
