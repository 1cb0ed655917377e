// The response of POST /v1/embeddings: {"data": [{"index": 0, "embedding": [0.1, …]}, …], "model": "…"}.
import { EmbeddingsError, type Embeddings } from "./embedder.ts";

/** Of any known model; sqlite-vec allows no more. */
const MAX_DIMENSIONS = 8192;

const malformed = (problem: string): EmbeddingsError => new EmbeddingsError("malformed", `answers with ${problem}`);

/** Throws an EmbeddingsError for anything but one vector for each of `count` texts. */
export function parseEmbeddings(body: string, count: number): Embeddings {
  const { data, model } = parseObject(body);
  if (!Array.isArray(data)) throw malformed("no list of embeddings");
  if (data.length !== count) throw malformed(`${data.length} embeddings for ${count} texts`);
  const vectors: Float32Array[] = [];
  for (const [position, item] of (data as unknown[]).entries()) {
    const { index = position, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined)
      throw malformed("embeddings whose indexes are not those of the texts");
    vectors[index] = toVector(embedding);
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length)) throw malformed("embeddings of different lengths");
  return { vectors, model: typeof model === "string" && model !== "" ? model : undefined };
}

function parseObject(body: string): { data?: unknown; model?: unknown } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw malformed("something that is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null) throw malformed("JSON that is not an object");
  return parsed;
}

function toVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS)
    throw malformed(`an embedding that is not a list of 1 to ${MAX_DIMENSIONS} numbers`);
  const vector = new Float32Array(embedding.length);
  for (const [at, value] of (embedding as unknown[]).entries()) {
    if (typeof value !== "number" || !Number.isFinite(Math.fround(value)))
      throw malformed("an embedding that holds something else than numbers");
    vector[at] = value;
  }
  return vector;
}
