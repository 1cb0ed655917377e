// Embeds what has no vector yet: in batches, in one process at a time, until nothing is left. A write never waits for it.
import { reasonForMessage } from "../../graph/errors.ts";
import { runInSlices } from "../../graph/store/time-slices.ts";
import type { LeaderLock } from "./vectors/leader-lock.ts";
import type { Progress, VectorFile } from "./vectors/vector-file.ts";
import { embedBatch, HARMLESS_TEXT } from "./batch-embedder.ts";
import { EmbeddingsError, type Embedder } from "./embedder.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import type { MemoryTexts } from "./memory-texts.ts";
import { promptsOf } from "./models/model-prompts.ts";
import { followChanges, nextTexts, restart, startProgress, storeVectors } from "./progress.ts";

/** Some endpoints accept no more. */
const MAX_BATCH = 32;
/** A batch takes this long at most where it has several texts, so that the queries of searches come in between. */
const BATCH_GOAL_MS = 1000;
const TIMEOUT_MS = 60_000;
/** Changes of this process are collected for this long. */
const COLLECT_MS = 50;
/** How often changes of other processes are looked for, and whether the leader has ended. */
const POLL_MS = 2000;
/** After an error of the files. */
const RETRY_MS = 30_000;

export interface CatchUpOptions {
  readonly file: VectorFile;
  readonly texts: MemoryTexts;
  readonly lock: LeaderLock;
  readonly embedder: Embedder;
  /** As the operator names it. */
  readonly model: string | undefined;
  readonly health: EndpointHealth;
  readonly warn: (message: string) => void;
}

export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #closing = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #isLeader = false;
  #batchSize = MAX_BATCH;
  #hasRestarted = false;
  #mustCheck = false;
  #hasWarned = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#runIn(0);
  }

  /** The memory has changed. */
  wake(): void {
    if (this.#options.health.delay === 0) this.#runIn(COLLECT_MS);
  }

  /** A query has vectors of another model than the texts. */
  check(): void {
    this.#mustCheck = true;
    this.wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
    this.#options.lock.free();
  }

  #runIn(ms: number): void {
    if (this.#running !== undefined || this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#run().then((delay) => {
        this.#running = undefined;
        this.#runIn(delay);
      });
    }, ms).unref();
  }

  /** Returns when to run again, in milliseconds. Does not throw. */
  async #run(): Promise<number> {
    const { health, warn } = this.#options;
    try {
      if (!this.#lead()) return POLL_MS;
      const { signal } = this.#closing;
      await runInSlices(followChanges(this.#options.file, this.#options.texts), { signal });
      if (this.#mustCheck) await this.#check();
      while (await this.#embedNext()) signal.throwIfAborted();
      return POLL_MS;
    } catch (error) {
      if (this.#closing.signal.aborted) return 0;
      if (error instanceof EmbeddingsError) {
        health.failed(error);
        return health.delay;
      }
      if (!this.#hasWarned)
        warn(`Vectors of the memory cannot be kept (${reasonForMessage(error)}). Searches use words only where they are missing.`);
      this.#hasWarned = true;
      return RETRY_MS;
    }
  }

  /** False while another process embeds the texts of this memory. */
  #lead(): boolean {
    const { lock, file, texts, model } = this.#options;
    if (this.#isLeader) return true;
    if (!lock.take()) return false;
    startProgress(file, texts, model);
    return (this.#isLeader = true);
  }

  async #check(): Promise<void> {
    const { embedder, model } = this.#options;
    const { vectors, model: answeredBy } = await embedder.embed([HARMLESS_TEXT], { timeoutMs: TIMEOUT_MS, signal: this.#closing.signal });
    this.#checkModel(model ?? answeredBy ?? "", vectors[0]?.length);
    this.#mustCheck = false;
  }

  /** False where no text is left. */
  async #embedNext(): Promise<boolean> {
    const { file, texts, embedder, health, model } = this.#options;
    const batch = nextTexts(file, texts, this.#batchSize);
    if (batch.length === 0) return false;
    const prompt = promptsOf(model ?? file.progress()?.model ?? "").text;
    const start = performance.now();
    const { vectors, model: answeredBy } = await embedBatch(
      embedder,
      batch.map(({ text }) => prompt + text),
      { timeoutMs: TIMEOUT_MS, signal: this.#closing.signal },
    );
    this.#adaptBatchSize(performance.now() - start);
    const dimensions = vectors.find((vector) => vector !== undefined)?.length;
    const isOfOneModel = this.#checkModel(model ?? answeredBy ?? "", dimensions);
    health.succeeded();
    if (isOfOneModel)
      storeVectors(
        file,
        texts,
        batch.map((text, at) => ({ ...text, vector: vectors[at] })),
      );
    return true;
  }

  #adaptBatchSize(ms: number): void {
    if (ms > BATCH_GOAL_MS) this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 2));
    else if (ms < BATCH_GOAL_MS / 3) this.#batchSize = Math.min(MAX_BATCH, this.#batchSize * 2);
  }

  /** Vectors of two models cannot be compared: where the endpoint has another one now, everything is embedded again. Then false. */
  #checkModel(model: string, dimensions: number | undefined): boolean {
    const { file, texts, embedder, warn } = this.#options;
    const progress = file.progress();
    if (progress === undefined || dimensions === undefined || isOf(progress, model, dimensions)) return true;
    if (progress.dimensions === 0) {
      file.change(() => file.setProgress({ ...progress, model }));
      return true;
    }
    if (this.#hasRestarted)
      throw new EmbeddingsError("refused", "changes between models. Let it serve one, and name that with --embeddings-model");
    this.#hasRestarted = true;
    warn(
      `${embedder.displayName} has another model than before (${dimensions} numbers for each text, not ${progress.dimensions}). Everything is embedded again.`,
    );
    file.change(() => restart(file, texts, model));
    return false;
  }
}

const isOf = (progress: Progress, model: string, dimensions: number): boolean =>
  progress.model === model && progress.dimensions === dimensions;
