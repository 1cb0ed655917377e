// Search by meaning: finds the texts that are nearest to a query. Where it cannot, searches answer by words, and say so.
import { existsSync } from "node:fs";
import { reasonForMessage } from "../../graph/errors.ts";
import { LeaderLock } from "./vectors/leader-lock.ts";
import { vectorsPathOf } from "../../graph/location.ts";
import { loadVectorFunctions, nearest, type NearVector } from "./vectors/nearest.ts";
import { VectorFile } from "./vectors/vector-file.ts";
import { CatchUp } from "./catch-up.ts";
import { sendsKeyInClear, type EmbeddingsConfiguration } from "../../configured-embeddings.ts";
import type { Embedder } from "./embedder.ts";
import { EndpointHealth } from "./endpoint-health.ts";
import { HttpEndpoint } from "./http-endpoint.ts";
import { LocalModel } from "./models/local-model.ts";
import { MemoryTexts } from "./memory-texts.ts";
import { promptsOf } from "./models/model-prompts.ts";
import { isSamePast } from "./progress.ts";
import { QueryVectors } from "./query-vectors.ts";
import { UnsearchedIndex } from "./unsearched-index.ts";
import type { IndexedMemory, SemanticMatch, SemanticMatches } from "../../graph/semantic-index.ts";

/** Every text is a little near to every query: one that is much farther than the nearest is not meant. */
const MIN_SHARE_OF_BEST = 0.33;
const MIN_SIMILARITY = 0.15;

export interface SemanticSearchOptions extends IndexedMemory {
  readonly configuration: EmbeddingsConfiguration;
}

interface Opened {
  readonly file: VectorFile;
  readonly texts: MemoryTexts;
  readonly catchUp: CatchUp;
}

const WORDS_ONLY = "Searched by words only";

export class SemanticSearch extends UnsearchedIndex {
  readonly #options: SemanticSearchOptions;
  readonly #embedder: Embedder;
  readonly #health: EndpointHealth;
  readonly #queries: QueryVectors;
  readonly #opened: Opened | undefined;

  /** Begins to embed the texts of the memory. */
  constructor(options: SemanticSearchOptions) {
    const { configuration, warn } = options;
    super(options.database);
    this.#options = options;
    this.#embedder =
      configuration.source.local === true
        ? new LocalModel({ ...configuration.source, model: configuration.model })
        : new HttpEndpoint({ ...configuration, ...configuration.source });
    this.#health = new EndpointHealth(this.#embedder, warn);
    this.#queries = new QueryVectors(this.#embedder, this.#health);
    if (sendsKeyInClear(configuration)) warn(`${this.#embedder.displayName} gets its key unencrypted over the network. Use https.`);
    this.#opened = this.#open();
  }

  override add(): void {
    this.#opened?.catchUp.wake();
  }

  /** Takes 1.5 seconds at most. */
  override async near(query: string, most: number): Promise<SemanticMatches> {
    if (query.trim() === "") return { matches: [] };
    if (this.#opened === undefined) return { matches: [], remark: `${WORDS_ONLY}: there are no embeddings here.` };
    try {
      return await this.#search(this.#opened, query, most);
    } catch {
      return { matches: [], remark: `${WORDS_ONLY}: the embeddings cannot be read.` };
    }
  }

  override async close(): Promise<void> {
    await this.#opened?.catchUp.close();
    this.#opened?.texts.close();
    this.#opened?.file.close();
  }

  async #search({ file, texts, catchUp }: Opened, query: string, most: number): Promise<SemanticMatches> {
    const progress = file.progress();
    if (progress === undefined || progress.dimensions === 0 || !isSamePast(progress, texts))
      return { matches: [], remark: `${WORDS_ONLY}: no text is embedded yet.` };
    const { model } = this.#options.configuration;
    const embeddings = await this.#queries.of(promptsOf(model ?? progress.model).query + query);
    const [vector] = embeddings?.vectors ?? [];
    if (vector === undefined) return { matches: [], remark: `${WORDS_ONLY}: embeddings are not available at the moment.` };
    if (vector.length !== progress.dimensions || (model ?? embeddings?.model ?? "") !== progress.model) {
      this.#queries.clear();
      catchUp.check();
      return { matches: [], remark: `${WORDS_ONLY}: the embeddings are of another model.` };
    }
    catchUp.wake();
    const waiting = texts.read(() => texts.countAfter(progress)) + file.count("outdated");
    return {
      matches: toMatches(nearest(file, vector, most)),
      ...(waiting > 0 && {
        remark: `Found by meaning only in part: ${waiting} ${waiting === 1 ? "text waits" : "texts wait"} for embeddings.`,
      }),
    };
  }

  /** Undefined where the vectors cannot be used here; warns once. */
  #open(): Opened | undefined {
    const { database, configuration, readOnly, warn } = this.#options;
    const path = vectorsPathOf(database);
    if (database === ":memory:" || (readOnly && !existsSync(path))) {
      warn("Embeddings are not used: with --read-only no file is written for them. Start the server once without it.");
      return undefined;
    }
    let file: VectorFile | undefined;
    let texts: MemoryTexts | undefined;
    try {
      file = VectorFile.open(path);
      loadVectorFunctions(file);
      texts = new MemoryTexts(database);
      const lock = new LeaderLock(`${path}-lock`);
      const { model } = configuration;
      const shared = { embedder: this.#embedder, health: this.#health, warn };
      return { file, texts, catchUp: new CatchUp({ file, texts, lock, model, ...shared }) };
    } catch (error) {
      file?.close();
      texts?.close();
      warn(
        `Embeddings are not used: ${file === undefined ? `the file ${path} cannot be opened` : "sqlite-vec cannot be loaded"} (${reasonForMessage(error)}). Searches use words only.`,
      );
      return undefined;
    }
  }
}

function toMatches(vectors: readonly NearVector[]): SemanticMatch[] {
  const least = Math.max(MIN_SIMILARITY, (vectors[0]?.similarity ?? 0) * MIN_SHARE_OF_BEST);
  const near = vectors.filter(({ similarity }) => similarity >= least);
  return near.map(({ id, entity, similarity }) => ({ entity, observation: id > 0 ? id : undefined, similarity }));
}
