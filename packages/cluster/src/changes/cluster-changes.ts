// ClusterChanges: brings changes that one node notices to the clients of all nodes: to subscription streams, and to the standing streams of
// sessions. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { type ChangeBus, type ChangeListener, type Feature, randomId, type Runtime } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import { retry } from "../node/retry.ts";
import { RemoteWatches } from "./remote-watches.ts";

const TOPIC = "news";

/** Messages are limited in length; a longer address is watched on its own node only. */
const MAX_URI_LENGTH = 3000;

/** Changes of one resource are published at most this often, in milliseconds. */
const QUIET_MS = 100;

/** How often a node repeats which resources its clients watch. */
const REPEAT_MS = 20_000;

/** Key of a record whose version counts the changes of lists. */
export const LIST_CHANGES = "list-changes";

/** How long the number of list changes is kept after the last one. */
const LIST_CHANGES_MS = 7 * 24 * 3_600_000;

/** The standing stream of a session. It hears of all changes of lists, those of its own node too. */
interface StandingListener extends Omit<ChangeListener, "listChanged"> {
  /** `count`: the number of changes so far. */
  listChanged(feature: Feature, count: number): void;
}

/** The sessions of this node by their key. */
type Sessions = ReadonlyMap<string, { readonly standing: StandingListener }>;

export class ClusterChanges implements ChangeBus {
  readonly #backplane: Backplane;
  /** Names this node in its messages (`from`), so that it knows its own ones. */
  readonly #id = randomId();
  readonly #sessions: Sessions;
  readonly #listeners = new Set<ChangeListener>();
  /** How many clients of this node watch an address. */
  readonly #watched = new Map<string, number>();
  /** Addresses of which a change was published just now; true when another change followed. */
  readonly #published = new Map<string, boolean>();
  readonly #remote: RemoteWatches;
  readonly #stopListening: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Settles after the first attempt to subscribe. */
  readonly ready: Promise<void>;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;
  readonly #isStopped = (): boolean => this.#isClosed;

  constructor(runtime: Runtime, backplane: Backplane, sessions: Sessions) {
    this.#backplane = backplane;
    this.#sessions = sessions;
    this.#remote = new RemoteWatches(runtime);
    this.#stopListening = runtime.onListChange((feature) => void this.#publishListChange(feature));
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS);
    (this.#timer as { unref?(): void }).unref?.(); // Node: watches do not keep the process alive
    this.ready = this.#subscribe().catch(() => void this.#retry());
  }

  async #subscribe(): Promise<void> {
    const hear = (text: string): void => this.#hear(text);
    const unsubscribe = await this.#backplane.subscribe(TOPIC, hear, () => this.#missed());
    if (this.#isClosed) return unsubscribe();
    this.#unsubscribe = unsubscribe;
    this.#publish({ kind: "hello" });
    this.#repeat();
  }

  async #retry(): Promise<void> {
    await retry(() => this.#subscribe(), this.#isStopped, { ms: Infinity });
    if (!this.#isClosed) this.#missed();
  }

  // ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #hear(text: string): void {
    const news: unknown = JSON.parse(text);
    if (!isObject(news)) return;
    const isOwn = news.from === this.#id;
    if (news.kind === "list") return this.#listChanged(news.feature as Feature, Number(news.count), isOwn); // sent by a node
    if (isOwn) return;
    const uri = String(news.uri);
    switch (news.kind) {
      case "resource":
        for (const listener of this.#listeners) listener.resourceChanged(uri);
        for (const { standing } of this.#sessions.values()) standing.resourceChanged(uri);
        return;
      case "watch":
        return this.#remote.renew(uri);
      case "hello":
        return this.#repeat();
    }
  }

  /** The listeners of this node know its own changes already. */
  #listChanged(feature: Feature, count: number, isOwn: boolean): void {
    if (!isOwn) for (const listener of this.#listeners) listener.listChanged(feature);
    for (const { standing } of this.#sessions.values()) standing.listChanged(feature, count);
  }

  /** Counts a change of a list, for clients that read no stream now, and notifies all nodes. */
  async #publishListChange(feature: Feature): Promise<void> {
    const count = await retry(() => this.#backplane.put(LIST_CHANGES, feature, { ttlMs: LIST_CHANGES_MS }), this.#isStopped);
    const text = JSON.stringify({ kind: "list", feature, count, from: this.#id });
    await retry(() => this.#backplane.publish(TOPIC, text), this.#isStopped);
  }

  #missed(): void {
    for (const listener of this.#listeners) listener.missed();
    for (const { standing } of this.#sessions.values()) standing.missed();
    this.#publish({ kind: "hello" });
    this.#repeat();
  }

  #publish(news: Json): void {
    // A lost message is made up for: the subscribers' `onMissed`.
    this.#backplane.publish(TOPIC, JSON.stringify({ ...news, from: this.#id })).catch(() => undefined);
  }

  #repeat(): void {
    for (const uri of this.#watched.keys()) this.#publish({ kind: "watch", uri });
  }

  // ── ChangeBus ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  watched(uri: string): () => void {
    if (uri.length > MAX_URI_LENGTH) return () => undefined;
    const count = this.#watched.get(uri) ?? 0;
    this.#watched.set(uri, count + 1);
    if (count === 0) this.#publish({ kind: "watch", uri });
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const left = (this.#watched.get(uri) ?? 1) - 1;
      if (left > 0) this.#watched.set(uri, left);
      else this.#watched.delete(uri);
    };
  }

  resourceChanged(uri: string): void {
    if (uri.length > MAX_URI_LENGTH) return;
    if (this.#published.has(uri)) return void this.#published.set(uri, true);
    this.#published.set(uri, false);
    this.#publish({ kind: "resource", uri });
    setTimeout(() => {
      const hasChanged = this.#published.get(uri) === true;
      this.#published.delete(uri);
      if (hasChanged && !this.#isClosed) this.resourceChanged(uri);
    }, QUIET_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe?.();
    this.#stopListening();
    this.#remote.close();
  }
}
