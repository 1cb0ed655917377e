// Models on this disk, by the optional package @huggingface/transformers. Nothing is downloaded.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { EmbeddingsError } from "../embedder.ts";
import { importPackage } from "./package-import.ts";
import { reasonOf, type TextModel } from "./text-model.ts";

export const TRANSFORMERS = "@huggingface/transformers";
export const DEFAULT_MODEL = "Xenova/all-MiniLM-L6-v2";

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

/** `name`: one that the package's cache or folder of models has, or the path of a folder. Throws an EmbeddingsError. */
export async function loadTransformersModel(name: string): Promise<TextModel> {
  const transformers = (await importPackage(TRANSFORMERS)) as Transformers;
  transformers.env.allowRemoteModels = false;
  const isPath = isAbsolute(name) || /^\.{1,2}[/\\]/.test(name);
  if (isPath) transformers.env.localModelPath = dirname(resolve(name));
  try {
    const extract = await transformers.pipeline("feature-extraction", isPath ? basename(name) : name, { local_files_only: true });
    return { name, embed: async (texts) => toVectors(await extract(texts, { pooling: "mean", normalize: true }), texts.length) };
  } catch (error) {
    throw new EmbeddingsError(
      "refused",
      `cannot be loaded (${clip(reasonOf(error))}). Nothing is downloaded: put the model on this disk, and name its folder with --embeddings-model`,
    );
  }
}

function toVectors({ dims, data }: Tensor, count: number): Float32Array[] {
  const dimensions = dims.at(-1) ?? 0;
  if (dims.length !== 2 || dims[0] !== count || dimensions === 0)
    throw new EmbeddingsError(
      "refused",
      "does not give one vector for each text. Name a model for sentence embeddings with --embeddings-model",
    );
  return Array.from({ length: count }, (_, at) => data.slice(at * dimensions, (at + 1) * dimensions));
}
