// Results that the server allows to be kept, for as long as it allows: looked at when they are asked for, never polled.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/caching
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { covers, type News } from "../notifications/change-notification.ts";

export interface KeepOptions {
  /** Most results kept at once. Default 500. */
  results?: number;
  /** Most characters of them. Default 16 million. */
  characters?: number;
  /** So long past its time a result is still given when the server cannot be reached, in milliseconds. Default 0. */
  staleMs?: number;
}

/** The only requests whose results may be kept. */
const KEPT = new Set(["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"]);

interface Kept {
  method: string;
  uri: string;
  /** As text, so that nobody can change what others are given. */
  text: string;
  until: number;
  /** Set where the result is for this caller alone. */
  caller: string | undefined;
  isPrivate: boolean;
}

/** One question to the cache: what is kept for a request, and a place for its new result. */
export interface Slot {
  fresh(): Promise<Json | undefined>;
  /** What is out of date, but not too much. */
  stale(): Promise<Json | undefined>;
  keep(result: Json): Promise<void>;
}

export class Cache {
  readonly #options: Required<KeepOptions>;
  readonly #caller: () => Promise<string | undefined>;
  /** Those used last stand last. */
  readonly #kept = new Map<string, Kept>();
  #characters = 0;
  /** Counts what was dropped: a result that was under way meanwhile may be old already. */
  #drops = 0;

  /** `caller` says who asks just now: what is private is for nobody else. */
  constructor(options: KeepOptions, caller: () => Promise<string | undefined>) {
    this.#options = { results: 500, characters: 16_000_000, staleMs: 0, ...options };
    this.#caller = caller;
  }

  /** Undefined for requests whose results are not kept. */
  slot(method: string, params: Json): Slot | undefined {
    if (!KEPT.has(method) || params.inputResponses !== undefined || params.requestState !== undefined) return undefined;
    const { _meta, ...own } = params;
    const key = JSON.stringify([method, Object.entries(own).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
    const drops = this.#drops;
    return {
      fresh: () => this.#find(key, 0),
      stale: () => this.#find(key, this.#options.staleMs),
      keep: async (result) => {
        if (drops === this.#drops) await this.#keep(key, method, typeof own.uri === "string" ? own.uri : "", result);
      },
    };
  }

  async #find(key: string, pastMs: number): Promise<Json | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (Date.now() >= kept.until + this.#options.staleMs) return this.#remove(key);
    if (Date.now() >= kept.until + pastMs || (kept.isPrivate && kept.caller !== (await this.#caller()))) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const value: unknown = JSON.parse(kept.text);
    return isObject(value) ? value : undefined;
  }

  async #keep(key: string, method: string, uri: string, result: Json): Promise<void> {
    const { ttlMs, cacheScope } = result;
    this.#remove(key);
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const until = Date.now() + ttlMs;
    const isPrivate = cacheScope !== "public";
    const drops = this.#drops;
    const caller = isPrivate ? await this.#caller() : undefined;
    const text = JSON.stringify(result);
    if (drops !== this.#drops || text.length > this.#options.characters) return;
    this.#remove(key);
    this.#kept.set(key, { method, uri, text, until, caller, isPrivate });
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.results && this.#characters <= this.#options.characters) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): undefined {
    this.#characters -= this.#kept.get(key)?.text.length ?? 0;
    this.#kept.delete(key);
  }

  /** Lets go of what some news have made old. */
  tell(news: News): void {
    this.#drop(({ method, uri }) => {
      if (news.kind === "updated") return method === "resources/read" && (covers(uri, news.uri) || covers(news.uri, uri));
      return method === `${news.kind}/list` || (news.kind === "resources" && method === "resources/templates/list");
    });
  }

  /** Lets go of all pages of a list; false when none was kept. */
  forget(method: string): boolean {
    return this.#drop((kept) => kept.method === method);
  }

  #drop(old: (kept: Kept) => boolean): boolean {
    this.#drops++;
    const before = this.#kept.size;
    for (const [key, kept] of this.#kept) if (old(kept)) this.#remove(key);
    return this.#kept.size < before;
  }
}
