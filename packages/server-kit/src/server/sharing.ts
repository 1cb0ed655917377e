// Sharing: what a running server knows of the other nodes of its service.
import type { Backplane } from "../backplane/backplane.ts";
import type { Feature } from "./feature.ts";

/** The lease of this node, and those of the others. */
export interface Lease {
  /** The name of this node. Rejects while the backplane does not answer. */
  acquire(): Promise<string>;
  /** Whether the node with this name is running. */
  isRunning(node: string): Promise<boolean>;
}

/** What a listener learns of other nodes. */
export interface NewsListener {
  listChanged(feature: Feature): void;
  resourceChanged(uri: string): void;
  /** Changes may have been missed: any list and any resource may have changed. */
  missed(): void;
}

/** Changes that a node notices, and that clients of all nodes have to know. */
export interface News {
  /** Names this node in its messages (`from`), so that it knows its own ones. */
  readonly id: string;
  /** Calls back with changes that other nodes notice, until the returned function is called. */
  listen(listener: NewsListener): () => void;
  /** A client of this node watches a resource: the other nodes watch it too. Returns a function that ends this. */
  watched(uri: string): () => void;
  /** Notifies the other nodes of a change that this node has noticed. */
  resourceChanged(uri: string): void;
}

/** What the nodes of one service share. */
export interface Sharing {
  readonly backplane: Backplane;
  /** Resolves once the transport has loaded it. */
  readonly lease: Promise<Lease>;
  /** Set before the first request is served. */
  readonly news: News | undefined;
}
