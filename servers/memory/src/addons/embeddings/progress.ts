// Keeps a file of vectors in step with its memory: which texts are next, and which vectors are of texts that have changed or ended.
import type { NewVector, Progress, VectorFile } from "./vectors/vector-file.ts";
import type { MemoryText, MemoryTexts } from "./memory-texts.ts";

/** Ids in one transaction. */
const CHUNK_IDS = 300;

/** Begins anew where the vectors are of another memory, of another past of it (a backup was put back), or of another model. */
export function startProgress(file: VectorFile, texts: MemoryTexts, model: string | undefined): void {
  file.change(() => {
    const progress = file.progress();
    const isSameModel = model === undefined || progress?.model === model;
    if (progress !== undefined && isSameModel && isSamePast(progress, texts)) return;
    restart(file, texts, model ?? "");
  });
}

/** Whether the vectors are of this memory, and not of one that a backup has replaced. */
export const isSamePast = ({ memory, seq, at }: Progress, texts: MemoryTexts): boolean =>
  memory === texts.identity() && texts.timeOf(seq) === at;

/** Removes all vectors. Must run within `file.change`. */
export function restart(file: VectorFile, texts: MemoryTexts, model: string): Progress {
  const positions = texts.read(() => texts.positions());
  const progress = { ...positions, memory: texts.identity(), model, dimensions: 0, entity: 0, observation: 0 };
  file.clear();
  file.setProgress(progress);
  return progress;
}

/** Follows deletions, purges, new names and new types. Repeats nothing but work that was interrupted. */
export function* followChanges(file: VectorFile, texts: MemoryTexts): Generator<void> {
  const progress = file.progress();
  if (progress === undefined) return;
  const { ended, changed, seq, at, purged, turn } = texts.read(() => ({
    ...texts.positions(),
    ended: texts.endedAfter(progress.seq),
    changed: texts.changedAfter(progress),
  }));
  if (seq === progress.seq) return;
  if (!isSamePast(progress, texts)) return void file.change(() => restart(file, texts, progress.model));
  for (const ids of chunksOf(ended)) {
    file.change(() => file.remove(ids));
    yield;
  }
  for (const ids of chunksOf(changed)) {
    file.change(() => file.markOutdated(ids));
    yield;
  }
  if (purged > progress.purged) yield* removeUnknown(file, texts);
  file.change(() => file.setProgress({ ...(file.progress() ?? progress), seq, at, purged, turn }));
}

/** Texts without a vector. */
export function nextTexts(file: VectorFile, texts: MemoryTexts, most: number): MemoryText[] {
  const progress = file.progress();
  if (progress === undefined) return [];
  return texts.read(() => {
    const outdated = texts.withIds(file.outdatedIds(most));
    return outdated.length > 0 ? outdated : texts.textsAfter(progress, most);
  });
}

/** A text with its vector; without one where the embedder does not accept the text. */
export interface EmbeddedText extends MemoryText {
  readonly vector: Float32Array | undefined;
}

/** Stores the vectors of texts that are still as they were embedded, and moves on. `embedded`: in the order of `nextTexts`. */
export function storeVectors(file: VectorFile, texts: MemoryTexts, embedded: readonly EmbeddedText[]): void {
  file.change(() =>
    texts.read(() => {
      const progress = file.progress();
      if (progress === undefined) return;
      const current = new Map(texts.withIds(embedded.map(({ id }) => id)).map(({ id, text }) => [id, text]));
      const vectors = embedded.flatMap(({ id, entity, text, vector }): NewVector[] =>
        vector !== undefined && current.get(id) === text ? [{ id, entity, vector }] : [],
      );
      file.remove(embedded.map(({ id }) => id));
      file.insertVectors(vectors);
      const dimensions = vectors[0]?.vector.length ?? progress.dimensions;
      const entity = Math.max(progress.entity, ...embedded.map(({ id }) => -id));
      const observation = Math.max(progress.observation, ...embedded.map(({ id }) => id));
      file.setProgress({ ...progress, dimensions, entity, observation });
      file.addBitsForMany();
    }),
  );
}

/** Removes vectors of texts that the memory has no longer. */
export function* removeUnknown(file: VectorFile, texts: MemoryTexts): Generator<void> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const ids = file.idsAfter(after, CHUNK_IDS);
    const known = new Set(texts.withIds(ids).map(({ id }) => id));
    file.change(() => file.remove(ids.filter((id) => !known.has(id))));
    if (ids.length < CHUNK_IDS) return;
    after = ids.at(-1) ?? after;
    yield;
  }
}

function* chunksOf(ids: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < ids.length; at += CHUNK_IDS) yield ids.slice(at, at + CHUNK_IDS);
}
