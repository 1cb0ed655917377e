// An index that no search of this process uses: purged texts leave it, with or without embeddings here.
import { vectorsPathOf } from "../../graph/location.ts";
import type { SemanticIndex, SemanticMatches } from "../../graph/semantic-index.ts";
import { runInSlices } from "../../graph/store/time-slices.ts";
import { MemoryTexts } from "./memory-texts.ts";
import { removeUnknown } from "./progress.ts";
import { VectorFile } from "./vectors/vector-file.ts";

export class UnsearchedIndex implements SemanticIndex {
  readonly #database: string;

  /** `database`: the path of a memory that has a file of vectors. */
  constructor(database: string) {
    this.#database = database;
  }

  add(): void {
    // A process with embeddings adds the texts.
  }

  checkDrop(): void {
    VectorFile.open(vectorsPathOf(this.#database)).close();
  }

  async drop(): Promise<void> {
    const file = VectorFile.open(vectorsPathOf(this.#database));
    const texts = new MemoryTexts(this.#database);
    try {
      await runInSlices(removeUnknown(file, texts));
      // The log holds their bytes. A process that reads may keep it for a moment; what it holds then are pages that nothing refers to.
      file.db.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      texts.close();
      file.close();
    }
  }

  async near(_query: string, _most: number): Promise<SemanticMatches> {
    return { matches: [] };
  }

  async close(): Promise<void> {
    // Nothing is open between two calls.
  }
}
