// News of a server: which of its lists have changed, which resources. One iterator in both eras.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import type { Json } from "@oarlock/server-kit/protocol";

export type List = "tools" | "prompts" | "resources";

/** What to be told of: changes of lists, and of the resources at these addresses or below them. */
export interface ListenTo {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uris?: readonly string[];
}

export type News = { kind: List } | { kind: "updated"; uri: string };

export const LISTS: readonly List[] = ["tools", "prompts", "resources"];

/** What a notification tells; undefined when it is no news. */
export function newsOf(method: string, { uri }: Json): News | undefined {
  if (method === "notifications/resources/updated") return typeof uri === "string" ? { kind: "updated", uri } : undefined;
  const kind = LISTS.find((list) => method === `notifications/${list}/list_changed`);
  return kind && { kind };
}

/** The address itself or one that lies below it: a folder hears of its files. */
export const covers = (watched: string, uri: string): boolean =>
  uri === watched || uri.startsWith(watched.endsWith("/") ? watched : `${watched}/`);

/** Whether somebody who listens to this wants to hear it. */
export function wants(to: ListenTo, news: News): boolean {
  return news.kind === "updated" ? (to.uris ?? []).some((watched) => covers(watched, news.uri)) : to[news.kind] === true;
}

/** News of everything, for those who may have missed some. */
export function allNews(to: ListenTo): News[] {
  const lists = LISTS.filter((list) => to[list] === true).map((kind): News => ({ kind }));
  return [...lists, ...(to.uris ?? []).map((uri): News => ({ kind: "updated", uri }))];
}

/** What was asked for and will not be told, in words. */
export function missingIn(told: ListenTo, wish: ListenTo): string | undefined {
  const lists = LISTS.filter((list) => wish[list] === true && told[list] !== true);
  const missing = [...lists, ...(wish.uris ?? []).filter((uri) => told.uris?.includes(uri) !== true)];
  return missing.length > 0 ? `the server does not tell of changes of: ${missing.join(", ")}` : undefined;
}

/** What is told before anybody asks for it; one that waits already is not told twice. */
const MOST_WAITING = 10_000;

/** News as they come, until `close`, the end of a `for await`, its signal, or the end of the connection. */
export class Listening implements AsyncIterableIterator<News, undefined>, AsyncDisposable {
  /** What the server will tell of; it may be less than was asked for. Rejects when it tells nothing. */
  readonly ready: Promise<ListenTo>;
  readonly #acknowledged = Promise.withResolvers<ListenTo>();
  readonly #stop: () => void;
  readonly #waiting = new Map<string, News>();
  #error: Error | undefined;
  #over = false;
  #wake = Promise.withResolvers<void>();

  /** Made by `client.listen`. `stop` is called once, when nobody listens any more. */
  constructor(stop: () => void) {
    this.#stop = stop;
    this.ready = this.#acknowledged.promise;
    this.ready.catch(() => undefined); // who walks over the news hears it there
  }

  acknowledge(to: ListenTo): void {
    this.#acknowledged.resolve(to);
  }

  tell(news: News): void {
    if (this.#over || this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.set(JSON.stringify(news), news);
    this.#wake.resolve();
  }

  /** Nothing more will come; what waits is still told, then the error. */
  end(error?: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    this.#acknowledged.reject(error ?? new Error("It was closed before the server had agreed to it"));
    this.#wake.resolve();
  }

  async next(): Promise<IteratorResult<News, undefined>> {
    for (;;) {
      for (const [key, value] of this.#waiting) {
        this.#waiting.delete(key);
        return { value, done: false };
      }
      const error = this.#error;
      this.#error = undefined;
      if (error !== undefined) throw error;
      if (this.#over) return { value: undefined, done: true };
      await this.#wake.promise;
      this.#wake = Promise.withResolvers<void>();
    }
  }

  async return(): Promise<IteratorResult<News, undefined>> {
    this.close();
    return { value: undefined, done: true };
  }

  close(): void {
    if (this.#over) return;
    this.#waiting.clear();
    this.end();
    this.#stop();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}
