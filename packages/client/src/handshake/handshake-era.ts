// The era of sessions: what was asked for once holds until it is taken back, and the server keeps it in mind.
// https://modelcontextprotocol.io/specification/2025-11-25/server
import type { Json, LogLevel, ServerCapabilities } from "@oarlock/server-kit/protocol";
import type { Era } from "../era.ts";
import { asError } from "../errors.ts";
import type { Meeting } from "../connection/connection.ts";
import { Listening, LISTS, missingIn, newsOf, wants, type ListenTo } from "../notifications/change-notification.ts";
import type { RequestOptions } from "../connection/pending-request.ts";
import { Watched, type OnUpdate } from "../notifications/watched-resources.ts";

export class Sessional implements Era {
  readonly #meeting: Meeting;
  readonly #capabilities: ServerCapabilities;
  readonly #watched = new Watched();
  readonly #listening = new Map<Listening, ListenTo>();
  /** The level that was set in this session. */
  #level: LogLevel | undefined;

  constructor(meeting: Meeting, capabilities: ServerCapabilities) {
    this.#meeting = meeting;
    this.#capabilities = capabilities;
    meeting.heard = (method, params) => this.#heard(method, params);
    void meeting.closed.then(() => {
      for (const listening of this.#listening.keys()) listening.end();
    });
  }

  #heard(method: string, params: Json): void {
    const news = newsOf(method, params);
    if (news === undefined) return;
    if (news.kind === "updated") this.#watched.updated(news.uri);
    else this.#meeting.options.onListChanged?.(news.kind);
    for (const [listening, to] of this.#listening) if (wants(to, news)) listening.tell(news);
  }

  request(method: string, params: Json | undefined, options?: RequestOptions): Promise<Json> {
    return this.#meeting.link.request(method, params, options);
  }

  ask(method: string, params: Json, options: RequestOptions | undefined): Promise<Json> {
    return this.request(method, params, options);
  }

  async ping(options: RequestOptions | undefined): Promise<void> {
    await this.request("ping", undefined, options);
  }

  async setLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void> {
    await this.request("logging/setLevel", { level }, options);
    this.#level = level;
  }

  rootsChanged(): void {
    this.#meeting.link.notify("notifications/roots/list_changed");
  }

  // ── resources that are watched ────────────────────────────────────────────────────────────────────────────────────

  async subscribe(uri: string, onUpdate: OnUpdate, options?: RequestOptions): Promise<void> {
    // Before the answer: a change may be told right behind it.
    this.#watched.set(uri, onUpdate);
    try {
      await this.request("resources/subscribe", { uri }, options);
    } catch (error) {
      this.#watched.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    this.#watched.delete(uri);
    if (!this.#isHeard(uri)) await this.request("resources/unsubscribe", { uri }, options);
  }

  /** Whether a listener still wants to hear of just this address. */
  #isHeard(uri: string): boolean {
    return [...this.#listening.values()].some(({ uris = [] }) => uris.includes(uri));
  }

  listen(wish: ListenTo, signal: AbortSignal | undefined): Listening {
    const close = (): void => listening.close();
    const listening: Listening = new Listening(() => {
      signal?.removeEventListener("abort", close);
      this.#listening.delete(listening);
      this.#leave(wish.uris ?? []);
    });
    this.#listening.set(listening, wish);
    signal?.addEventListener("abort", close);
    if (signal?.aborted === true) close();
    else void this.#listenTo(wish).then((to) => listening.acknowledge(to));
    return listening;
  }

  /** Subscribes to what is wanted; gives what will be told. */
  async #listenTo(wish: ListenTo): Promise<ListenTo> {
    const lists = LISTS.filter((list) => wish[list] === true && this.#capabilities[list]?.listChanged === true);
    const told: ListenTo = Object.fromEntries(lists.map((list) => [list, true]));
    const uris: string[] = [];
    const subscribed = (wish.uris ?? []).map((uri) => this.request("resources/subscribe", { uri }).then(() => uris.push(uri)));
    await Promise.allSettled(subscribed);
    if (uris.length > 0) told.uris = uris;
    const missing = missingIn(told, wish);
    if (missing !== undefined && this.#meeting.link.ended === undefined) this.#meeting.options.onFault?.(missing);
    return told;
  }

  #leave(uris: readonly string[]): void {
    if (this.#meeting.link.ended !== undefined) return;
    for (const uri of uris) {
      if (!this.#watched.has(uri) && !this.#isHeard(uri)) void this.request("resources/unsubscribe", { uri }).catch(() => undefined);
    }
  }

  /** Asks for all of it once more, of a session that knows nothing of it. What is refused is told, and stays lost. */
  async renew(): Promise<void> {
    const { onFault } = this.#meeting.options;
    const uris = new Set([...this.#watched.uris, ...[...this.#listening.values()].flatMap(({ uris = [] }) => uris)]);
    const asks: [string, Json][] = [...uris].map((uri) => ["resources/subscribe", { uri }]);
    if (this.#level !== undefined) asks.push(["logging/setLevel", { level: this.#level }]);
    const asked = asks.map(([method, params]) =>
      this.request(method, params).catch((error: unknown) => onFault?.(`${method} in the new session: ${asError(error).message}`)),
    );
    await Promise.all(asked);
  }
}
