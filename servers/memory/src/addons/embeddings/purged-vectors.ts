// Removes the vectors of purged texts, with or without embeddings in this process.
import { runInSlices } from "../../graph/store/time-slices.ts";
import { vectorsPathOf } from "../../graph/location.ts";
import { VectorFile } from "./vectors/vector-file.ts";
import { MemoryTexts } from "./memory-texts.ts";
import { removeUnknown } from "./progress.ts";

/** Throws a GraphError where the vectors cannot be removed: a purge would be incomplete. The file of vectors must exist. */
export function checkVectors(database: string): void {
  VectorFile.open(vectorsPathOf(database)).close();
}

/** The file of vectors must exist. */
export async function removePurgedVectors(database: string): Promise<void> {
  const file = VectorFile.open(vectorsPathOf(database));
  const texts = new MemoryTexts(database);
  try {
    await runInSlices(removeUnknown(file, texts));
    // The log holds their bytes. A process that reads may keep it for a moment; what it holds then are pages that nothing refers to.
    file.db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    texts.close();
    file.close();
  }
}
