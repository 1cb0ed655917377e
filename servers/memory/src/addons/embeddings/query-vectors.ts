// The vectors of queries. A search waits for one only shortly, and the pages of one search share it.
import { EmbeddingsError, type Embedder, type Embeddings } from "./embedder.ts";
import type { EndpointHealth } from "./endpoint-health.ts";

const TIMEOUT_MS = 1500;
const MAX_QUERY_LENGTH = 2000;
const MAX_KEPT = 100;
/** Queries on their way to the endpoint; further ones are searched by words only. */
const MAX_UNDER_WAY = 16;

export class QueryVectors {
  readonly #embedder: Embedder;
  readonly #health: EndpointHealth;
  /** By the text of the query, least recently used first. */
  readonly #kept = new Map<string, Embeddings>();
  readonly #underWay = new Map<string, Promise<Embeddings | undefined>>();

  constructor(embedder: Embedder, health: EndpointHealth) {
    this.#embedder = embedder;
    this.#health = health;
  }

  /** Undefined where the embedder does not answer in time, or has not lately. Does not throw. */
  async of(query: string): Promise<Embeddings | undefined> {
    const text = query.slice(0, MAX_QUERY_LENGTH);
    const kept = this.#kept.get(text);
    if (kept !== undefined) return this.#keep(text, kept);
    const underWay = this.#underWay.get(text);
    if (underWay !== undefined) return await underWay;
    if (!this.#health.mayQuery || this.#underWay.size >= MAX_UNDER_WAY) return undefined;
    const embedding = this.#embed(text).finally(() => this.#underWay.delete(text));
    this.#underWay.set(text, embedding);
    return await embedding;
  }

  /** The endpoint has another model now. */
  clear(): void {
    this.#kept.clear();
  }

  async #embed(text: string): Promise<Embeddings | undefined> {
    try {
      const embeddings = await this.#embedder.embed([text], { timeoutMs: TIMEOUT_MS });
      this.#health.succeeded();
      return this.#keep(text, embeddings);
    } catch (error) {
      // Other queries may be accepted.
      if (!(error instanceof EmbeddingsError && error.kind === "input")) this.#health.failed(error);
      return undefined;
    }
  }

  #keep(text: string, embeddings: Embeddings): Embeddings {
    this.#kept.delete(text);
    this.#kept.set(text, embeddings);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return embeddings;
  }
}
