// The cache of results, for as long as the server allows. Entries are checked when they are read; nothing is refreshed in advance.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/caching
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { isCovered, type ChangeNotification } from "../notifications/change-notification.ts";

export interface CacheOptions {
  /** Maximum number of results. Default 500. */
  maxResults?: number;
  /** Maximum number of characters of all results. Default 16 million. */
  maxCharacters?: number;
  /** Time after expiry during which a result is still returned when the server is unreachable, in milliseconds. Default 0. */
  maxStaleMs?: number;
}

const CACHEABLE_METHODS = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

interface CacheEntry {
  method: string;
  /** The URI of `resources/read`, "" for other methods. */
  uri: string;
  /** The result as text, so that callers cannot modify each other's objects. */
  text: string;
  expiresAt: number;
  isPrivate: boolean;
  /** The user of a private result. */
  user: string | undefined;
}

/** The place of one request's result in the cache. */
export interface CacheSlot {
  readFresh(): Promise<Json | undefined>;
  /** The result up to `maxStaleMs` after its expiry. */
  readStale(): Promise<Json | undefined>;
  store(result: Json): Promise<void>;
}

export class ResultCache {
  readonly #options: Required<CacheOptions>;
  readonly #cacheIdentity: () => Promise<string | undefined>;
  /** In the order of use, the most recently used entry last. */
  readonly #entries = new Map<string, CacheEntry>();
  #characters = 0;
  /** The number of invalidations: a result of a request that started before the latest one may be outdated. */
  #invalidations = 0;

  /** `cacheIdentity` identifies the user; a private result is returned to its user only. */
  constructor(options: CacheOptions, cacheIdentity: () => Promise<string | undefined>) {
    this.#options = { maxResults: 500, maxCharacters: 16_000_000, maxStaleMs: 0, ...options };
    this.#cacheIdentity = cacheIdentity;
  }

  /** Undefined for requests whose results are not cacheable. */
  slotFor(method: string, params: Json): CacheSlot | undefined {
    if (!CACHEABLE_METHODS.has(method) || params.inputResponses !== undefined || params.requestState !== undefined) return undefined;
    const { _meta, ...own } = params;
    const key = JSON.stringify([method, Object.entries(own).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
    const invalidations = this.#invalidations;
    return {
      readFresh: () => this.#read(key, 0),
      readStale: () => this.#read(key, this.#options.maxStaleMs),
      store: async (result) => {
        if (invalidations === this.#invalidations) await this.#store(key, method, typeof own.uri === "string" ? own.uri : "", result);
      },
    };
  }

  async #read(key: string, maxStaleMs: number): Promise<Json | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (Date.now() >= entry.expiresAt + this.#options.maxStaleMs) {
      this.#remove(key);
      return undefined;
    }
    if (Date.now() >= entry.expiresAt + maxStaleMs || (entry.isPrivate && entry.user !== (await this.#cacheIdentity()))) return undefined;
    // Invalidated or replaced while the current user was determined.
    if (this.#entries.get(key) !== entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const value: unknown = JSON.parse(entry.text);
    return isObject(value) ? value : undefined;
  }

  async #store(key: string, method: string, uri: string, result: Json): Promise<void> {
    const { ttlMs, cacheScope } = result;
    this.#remove(key);
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const expiresAt = Date.now() + ttlMs;
    const isPrivate = cacheScope !== "public";
    const invalidations = this.#invalidations;
    const user = isPrivate ? await this.#cacheIdentity() : undefined;
    const text = JSON.stringify(result);
    if (invalidations !== this.#invalidations || text.length > this.#options.maxCharacters) return;
    this.#remove(key);
    this.#entries.set(key, { method, uri, text, expiresAt, user, isPrivate });
    this.#characters += text.length;
    this.#evict();
  }

  #evict(): void {
    const { maxResults, maxCharacters } = this.#options;
    for (const leastRecentlyUsed of this.#entries.keys()) {
      if (this.#entries.size <= maxResults && this.#characters <= maxCharacters) return;
      this.#remove(leastRecentlyUsed);
    }
  }

  #remove(key: string): void {
    this.#characters -= this.#entries.get(key)?.text.length ?? 0;
    this.#entries.delete(key);
  }

  /** Drops the results that a change has outdated. */
  invalidate(change: ChangeNotification): void {
    this.#removeWhere(({ method, uri }) => {
      if (change.kind === "updated") return method === "resources/read" && (isCovered(uri, change.uri) || isCovered(change.uri, uri));
      return method === `${change.kind}/list` || (change.kind === "resources" && method === "resources/templates/list");
    });
  }

  /** Drops the results of a method; false if there were none. */
  drop(method: string): boolean {
    return this.#removeWhere((entry) => entry.method === method);
  }

  #removeWhere(isOutdated: (entry: CacheEntry) => boolean): boolean {
    this.#invalidations++;
    const sizeBefore = this.#entries.size;
    for (const [key, entry] of this.#entries) if (isOutdated(entry)) this.#remove(key);
    return this.#entries.size < sizeBefore;
  }
}
