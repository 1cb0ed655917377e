// SessionChanges: what a node notices that clients of all nodes have to know. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification
import { isObject } from "@oarlock/server-kit/protocol";
import type { Feature } from "@oarlock/server-kit/transport";
import type { NodeContext } from "../node/node-context.ts";
import { retry } from "../node/retry.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { LIST_CHANGES } from "./standing-stream.ts";

const TOPIC = "news";

/** How long the number of list changes is kept after the last one. */
const LIST_CHANGES_MS = 7 * 24 * 3_600_000;

export class SessionChanges {
  readonly #node: NodeContext;
  readonly #sessions: ReadonlyMap<string, ClusterSession>;
  readonly #stopListening: () => void;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(node: NodeContext, sessions: ReadonlyMap<string, ClusterSession>) {
    this.#node = node;
    this.#sessions = sessions;
    this.#stopListening = node.runtime.onListChange((feature) => void this.#listChanged(feature));
  }

  async listen(): Promise<void> {
    const subscribe = (): Promise<() => void> =>
      this.#node.backplane.subscribe(
        TOPIC,
        (text) => this.#hear(text),
        () => this.#missed(),
      );
    this.#unsubscribe = await retry(subscribe, () => this.#isClosed);
    if (this.#isClosed) this.#unsubscribe?.();
  }

  /** Counts a change of a list, for clients that read no stream now, and notifies all nodes. */
  async #listChanged(feature: Feature): Promise<void> {
    const { backplane } = this.#node;
    const isStopped = (): boolean => this.#isClosed;
    const count = await retry(() => backplane.put(LIST_CHANGES, feature, { ttlMs: LIST_CHANGES_MS }), isStopped);
    await retry(() => backplane.publish(TOPIC, JSON.stringify({ kind: "list", feature, count })), isStopped);
  }

  #hear(text: string): void {
    const news: unknown = JSON.parse(text);
    const isOwnChange = isObject(news) && news.kind === "resource" && news.from === this.#node.changesId;
    if (!isObject(news) || isOwnChange) return;
    for (const { standing } of this.#sessions.values()) {
      if (news.kind === "list") standing.listChanged(news.feature as Feature, Number(news.count)); // sent by `#listChanged`
      else if (news.kind === "resource") standing.resourceChanged(String(news.uri));
    }
  }

  #missed(): void {
    for (const { standing } of this.#sessions.values()) standing.missed();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#unsubscribe?.();
  }
}
