// A model in this process, by the optional package @huggingface/transformers. Only models that are on the disk are used: nothing is downloaded.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { EmbeddingsError, type Embedder, type Embeddings, type EmbedOptions } from "./embedder.ts";

/** Loaded by its name, so that neither a build nor a start needs it. */
const PACKAGE: string = "@huggingface/transformers";
const DEFAULT_MODEL = "Xenova/all-MiniLM-L6-v2";

interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

type FeatureExtraction = (texts: readonly string[], options: { pooling: "mean"; normalize: boolean }) => Promise<Tensor>;

/** What is used of the package. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: "feature-extraction", model: string, options: { local_files_only: boolean }): Promise<FeatureExtraction>;
}

export class LocalModel implements Embedder {
  readonly displayName: string;
  readonly #model: string;

  /** `model`: a name that the package's cache or folder of models has, or the path of a folder. */
  constructor(model: string = DEFAULT_MODEL) {
    this.#model = model;
    this.displayName = `Local model ${clip(model)}`;
  }

  /** Throws an EmbeddingsError. After the time limit or an abort the model goes on, but its result is dropped. */
  async embed(texts: readonly string[], { timeoutMs, signal }: EmbedOptions): Promise<Embeddings> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new EmbeddingsError("away", `does not answer within ${timeoutMs / 1000} s`)), timeoutMs);
    const stop = (): void => reject(new EmbeddingsError("away", "is stopped"));
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([late, this.#embed(texts)]);
    } catch (error) {
      if (error instanceof EmbeddingsError) throw error;
      throw new EmbeddingsError("away", `fails (${clip(error instanceof Error ? error.message : String(error))})`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  async #embed(texts: readonly string[]): Promise<Embeddings> {
    const extract = await loadedModel(this.#model);
    const { dims, data } = await extract(texts, { pooling: "mean", normalize: true });
    const dimensions = dims.at(-1) ?? 0;
    if (dims.length !== 2 || dims[0] !== texts.length || dimensions === 0)
      throw new EmbeddingsError(
        "refused",
        "does not give one vector for each text. Name a model for sentence embeddings with --embeddings-model",
      );
    return { vectors: texts.map((_, at) => data.slice(at * dimensions, (at + 1) * dimensions)), model: this.#model };
  }
}

/** The memories of one process share a model, which may take a gigabyte. */
const loaded = new Map<string, Promise<FeatureExtraction>>();

async function loadedModel(model: string): Promise<FeatureExtraction> {
  const extraction = loaded.get(model) ?? load(model);
  loaded.set(model, extraction);
  try {
    return await extraction;
  } catch (error) {
    loaded.delete(model);
    throw error;
  }
}

async function load(model: string): Promise<FeatureExtraction> {
  const transformers = await importPackage();
  transformers.env.allowRemoteModels = false;
  const isPath = isAbsolute(model) || /^\.{1,2}[/\\]/.test(model);
  if (isPath) transformers.env.localModelPath = dirname(resolve(model));
  try {
    return await transformers.pipeline("feature-extraction", isPath ? basename(model) : model, { local_files_only: true });
  } catch (error) {
    throw new EmbeddingsError(
      "refused",
      `cannot be loaded (${clip(error instanceof Error ? error.message : String(error))}). Nothing is downloaded: put the model on this disk, and name its folder with --embeddings-model`,
    );
  }
}

async function importPackage(): Promise<Transformers> {
  try {
    return (await import(PACKAGE)) as Transformers;
  } catch (error) {
    const reason =
      systemErrorCode(error) === "ERR_MODULE_NOT_FOUND" ? "which is not installed beside the server" : "which cannot be loaded";
    throw new EmbeddingsError("refused", `needs the package ${PACKAGE}, ${reason}. Run: npm install ${PACKAGE}`);
  }
}
