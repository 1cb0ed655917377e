// Opens a memory where it is stored: in SQLite, or in Postgres.
import { loadAddon } from "./addons.ts";
import { loadPostgres } from "./check-postgres.ts";
import { isInPostgres } from "./configured-location.ts";
import type { EmbeddingsConfiguration } from "./configured-embeddings.ts";
import type { Graph } from "./graph/graph.ts";
import { Memory, type MemoryOptions } from "./graph/memory.ts";
import type { SemanticIndexSource } from "./graph/semantic-index.ts";
import type { MemoryLocation } from "./postgres-location.ts";

/** Embeddings are the index by meaning of a memory in SQLite. */
export const semanticIndexOf = (configuration: EmbeddingsConfiguration | undefined): SemanticIndexSource => ({
  isSearched: configuration !== undefined,
  async open(memory) {
    const { openIndex } = await loadAddon("embeddings", "--embeddings");
    return openIndex(memory, configuration);
  },
});

export interface OpenGraphOptions extends Omit<MemoryOptions, "location" | "semanticIndex"> {
  /** Where the memory is stored; see `locationOf` and `postgresLocationOf`. */
  readonly location: MemoryLocation;
  /** Computes embeddings, so that searches find by meaning too. Needs a memory in SQLite. Default: none. See `configurationOf`. */
  readonly embeddings?: EmbeddingsConfiguration | undefined;
}

/** The driver of Postgres is loaded only where the memory is there. */
export async function openGraph({ location, embeddings, ...options }: OpenGraphOptions): Promise<Graph> {
  if (!isInPostgres(location)) return new Memory({ ...options, location, semanticIndex: semanticIndexOf(embeddings) });
  return (await loadPostgres()).openGraph({ ...options, location });
}
