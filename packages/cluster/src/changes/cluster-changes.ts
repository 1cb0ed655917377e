// ClusterChanges: brings changes that one node notices to the subscriptions of all nodes. Changes of lists are published by the sessions.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { type ChangeBus, type ChangeListener, type Feature, randomId, type Runtime } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import { RemoteWatches } from "./remote-watches.ts";

const TOPIC = "news";

/** Messages are limited in length; a longer address is watched on its own node only. */
const MAX_URI_LENGTH = 3000;

/** Changes of one resource are published at most this often, in milliseconds. */
const QUIET_MS = 100;

/** How often a node repeats which resources its clients watch. */
const REPEAT_MS = 20_000;

/** Pause before the next attempt to subscribe. */
const RETRY_MS = 500;

export class ClusterChanges implements ChangeBus {
  readonly #backplane: Backplane;
  /** Names this node in its messages (`from`), so that it knows its own ones. */
  readonly id = randomId();
  readonly #listeners = new Set<ChangeListener>();
  /** How many clients of this node watch an address. */
  readonly #watched = new Map<string, number>();
  /** Addresses of which a change was published just now; true when another change followed. */
  readonly #published = new Map<string, boolean>();
  /** Own changes of lists that have not come back yet. */
  readonly #expected = new Map<Feature, number>();
  readonly #remote: RemoteWatches;
  readonly #stopListening: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Settles after the first attempt to subscribe. */
  readonly ready: Promise<void>;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(runtime: Runtime, backplane: Backplane) {
    this.#backplane = backplane;
    this.#remote = new RemoteWatches(runtime);
    this.#stopListening = runtime.onListChange((feature) => this.#expected.set(feature, (this.#expected.get(feature) ?? 0) + 1));
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
    while (!this.#isClosed && this.#unsubscribe === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      try {
        await this.#subscribe();
        this.#missed();
      } catch {
        // The next attempt follows.
      }
    }
  }

  // ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #hear(text: string): void {
    const news: unknown = JSON.parse(text);
    if (!isObject(news) || news.from === this.id) return;
    const uri = String(news.uri);
    switch (news.kind) {
      case "list":
        return this.#listChanged(news.feature as Feature); // sent by a node
      case "resource":
        for (const listener of this.#listeners) listener.resourceChanged(uri);
        return;
      case "watch":
        return this.#remote.renew(uri);
      case "hello":
        return this.#repeat();
    }
  }

  /** One message for each own change is the change itself, which the listeners of this node know. */
  #listChanged(feature: Feature): void {
    const expected = this.#expected.get(feature) ?? 0;
    if (expected > 0) return void this.#expected.set(feature, expected - 1);
    for (const listener of this.#listeners) listener.listChanged(feature);
  }

  #missed(): void {
    this.#expected.clear();
    for (const listener of this.#listeners) listener.missed();
    this.#publish({ kind: "hello" });
    this.#repeat();
  }

  #publish(news: Json): void {
    // A lost message is made up for: the subscribers' `onMissed`.
    this.#backplane.publish(TOPIC, JSON.stringify({ ...news, from: this.id })).catch(() => undefined);
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
