// The subscriptions that a client keeps for `onListChanged` and `subscribe`. A subscription cannot be changed, and closing one
// loses what it was about to tell; so each call gets one of its own, and only when there are many are they made one.
import { setTimeout as pause } from "node:timers/promises";
import { asError, Closed, NotOffered } from "../errors.ts";
import type { Meeting } from "../connection/connection.ts";
import { allNews, LISTS, missingIn, type ListenTo, type News } from "../notifications/change-notification.ts";
import { Watched, type OnUpdate } from "../notifications/watched-resources.ts";
import type { Subscriptions } from "./subscription-registry.ts";

/** After the server has ended one. */
const AGAIN_MS = 1000;
/** From so many on they are made one; servers allow a few dozen. */
const MOST_STREAMS = 16;
/** What it may take until a server tells of a change that it has seen. */
const LINGER_MS = 2000;

interface Stream {
  to: ListenTo;
  close(): void;
}

export class Kept {
  readonly #meeting: Meeting;
  readonly #subscriptions: Subscriptions;
  readonly #watched = new Watched();
  readonly #streams = new Set<Stream>();
  #batch: { uris: string[]; stream: Promise<Stream> } | undefined;
  /** Made part of another, but they may still have something to tell. */
  #lingering: readonly Stream[] = [];
  #merging = false;

  constructor(meeting: Meeting, subscriptions: Subscriptions) {
    this.#meeting = meeting;
    this.#subscriptions = subscriptions;
  }

  /** Tells `onListChanged` of these lists from here on. */
  async lists(wish: ListenTo): Promise<void> {
    const { to } = await this.#open(wish);
    const missing = missingIn(to, wish);
    if (missing !== undefined) this.#meeting.options.onFault?.(missing);
  }

  async subscribe(uri: string, onUpdate: OnUpdate): Promise<void> {
    const known = this.#watched.has(uri);
    this.#watched.set(uri, onUpdate);
    if (known) return;
    try {
      const { to } = await this.#join(uri);
      if (to.uris?.includes(uri) !== true) throw new NotOffered(`news of ${uri}`);
    } catch (error) {
      this.#watched.delete(uri);
      throw error;
    } finally {
      this.#settle();
    }
  }

  /** Those who ask in one turn share a stream. */
  #join(uri: string): Promise<Stream> {
    if (this.#batch === undefined) {
      const uris: string[] = [];
      const open = (): Promise<Stream> => {
        this.#batch = undefined;
        return this.#open({ uris });
      };
      this.#batch = { uris, stream: Promise.resolve().then(open) };
    }
    this.#batch.uris.push(uri);
    return this.#batch.stream;
  }

  #settle(): void {
    this.#tidy();
    if (this.#streams.size > MOST_STREAMS && !this.#merging) void this.#merge();
  }

  unsubscribe(uri: string): void {
    this.#watched.delete(uri);
    this.#tidy();
  }

  /** Closes what nobody hears any more. */
  #tidy(): void {
    for (const stream of this.#streams) {
      const idle = LISTS.every((list) => stream.to[list] !== true) && (stream.to.uris ?? []).every((uri) => !this.#watched.has(uri));
      if (idle) this.#drop(stream);
    }
  }

  #drop(stream: Stream): void {
    this.#streams.delete(stream);
    stream.close();
  }

  async #merge(): Promise<void> {
    this.#merging = true;
    const many = [...this.#streams];
    for (const stream of many) this.#streams.delete(stream);
    const lists = LISTS.filter((list) => many.some(({ to }) => to[list] === true));
    const wish = { ...Object.fromEntries(lists.map((list) => [list, true])), uris: this.#watched.uris };
    try {
      await this.#open(wish);
    } catch {
      // Then the many go on.
      for (const stream of many) this.#streams.add(stream);
      return;
    } finally {
      this.#merging = false;
    }
    this.#tidy(); // what was left meanwhile
    for (const stream of this.#lingering) stream.close();
    this.#lingering = many;
    const { gone } = this.#meeting;
    await pause(LINGER_MS, undefined, { signal: gone, ref: false }).catch(() => undefined);
    if (this.#lingering === many) for (const stream of many) stream.close();
  }

  #told(news: News): void {
    if (news.kind === "updated") this.#watched.updated(news.uri);
    else this.#meeting.options.onListChanged?.(news.kind);
  }

  #open(wish: ListenTo): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const stream: Stream = { to: {}, close: () => undefined };
      let open = false;
      const { close } = this.#subscriptions.open(wish, {
        told: (news) => this.#told(news),
        opened: (to, again) => {
          stream.to = to;
          open = true;
          this.#streams.add(stream);
          if (again) for (const news of allNews(to)) this.#told(news);
          resolve(stream);
        },
        over: (error) => {
          // One that was made part of another may end.
          if (this.#streams.delete(stream)) void this.#revive(stream.to, error);
          else if (!open) reject(error ?? new Error("The server ended the subscription at once"));
        },
      });
      stream.close = close;
    });
  }

  /** The server has ended it, or it could not be opened again: what it was for is still wanted. */
  async #revive(to: ListenTo, error: Error | undefined): Promise<void> {
    const { gone, options } = this.#meeting;
    if (error instanceof Closed || gone.aborted) return;
    try {
      if (error !== undefined) throw error;
      await pause(AGAIN_MS, undefined, { signal: gone });
      const stream = await this.#open({ ...to, uris: (to.uris ?? []).filter((uri) => this.#watched.has(uri)) });
      for (const news of allNews(stream.to)) this.#told(news);
      this.#tidy();
    } catch (reason) {
      if (!gone.aborted) options.onFault?.(`news of the server have ended: ${asError(reason).message}`);
    }
  }
}
