// Embeds batches of texts. A batch that is not accepted is divided until the text is found that is at fault; that one is shortened, then
// left out.
import { EmbeddingsError, type Embedder, type Embeddings, type EmbedOptions } from "./embedder.ts";

/** An embedder that does not accept this either has another problem than a text. */
export const HARMLESS_TEXT = "memory";
/** Characters. */
const MIN_TEXT_LENGTH = 200;

export interface BatchResult {
  /** Undefined for texts that are not accepted, even shortened. */
  readonly vectors: readonly (Float32Array | undefined)[];
  readonly model: string | undefined;
}

/** Throws an EmbeddingsError where the fault is not in a text. */
export async function embedBatch(embedder: Embedder, texts: readonly string[], options: EmbedOptions): Promise<BatchResult> {
  try {
    return await embedder.embed(texts, options);
  } catch (error) {
    if (!(error instanceof EmbeddingsError) || error.kind !== "input") throw error;
    const { model } = await embedHarmlessText(embedder, options);
    return { vectors: await embedInParts(embedder, texts, options), model };
  }
}

async function embedHarmlessText(embedder: Embedder, options: EmbedOptions): Promise<Embeddings> {
  try {
    return await embedder.embed([HARMLESS_TEXT], options);
  } catch (error) {
    if (!(error instanceof EmbeddingsError) || error.kind !== "input") throw error;
    throw new EmbeddingsError("refused", `${error.message}. Check --embeddings and --embeddings-model`);
  }
}

/** The texts have been refused together. */
async function embedInParts(embedder: Embedder, texts: readonly string[], options: EmbedOptions): Promise<(Float32Array | undefined)[]> {
  const [text = ""] = texts;
  if (texts.length === 1 && text.length < MIN_TEXT_LENGTH) return [undefined];
  const middle = Math.ceil(texts.length / 2);
  const parts = texts.length === 1 ? [[text.slice(0, text.length / 2)]] : [texts.slice(0, middle), texts.slice(middle)];
  const vectors: (Float32Array | undefined)[] = [];
  for (const part of parts) {
    try {
      vectors.push(...(await embedder.embed(part, options)).vectors);
    } catch (error) {
      if (!(error instanceof EmbeddingsError) || error.kind !== "input") throw error;
      vectors.push(...(await embedInParts(embedder, part, options)));
    }
  }
  return vectors;
}
