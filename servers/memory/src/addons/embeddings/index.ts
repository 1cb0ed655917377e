// Embeddings: search by meaning, loaded with --embeddings.
import type { EmbeddingsConfiguration } from "../../configured-embeddings.ts";
import type { IndexedMemory, SemanticIndex } from "../../graph/semantic-index.ts";
import { SemanticSearch } from "./semantic-search.ts";
import { UnsearchedIndex } from "./unsearched-index.ts";

export { verifyVectors } from "./vectors/verify-vectors.ts";

/** `configuration`: undefined where texts are only dropped. */
export const openIndex = (memory: IndexedMemory, configuration: EmbeddingsConfiguration | undefined): SemanticIndex =>
  configuration === undefined ? new UnsearchedIndex(memory.database) : new SemanticSearch({ ...memory, configuration });
