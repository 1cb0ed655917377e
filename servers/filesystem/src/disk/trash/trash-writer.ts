// Trash writer: what writes and deletions need of the trash.
import type { BigIntStats } from "node:fs";
import type { Entry } from "../access/sandbox.ts";

export interface TrashWriter {
  /** Moves an entry to the trash, and returns the id to bring it back. The caller holds the lock on the name. */
  takeDeleted(entry: Entry, stat: BigIntStats, bytes: number, signal?: AbortSignal): Promise<string>;
  /**
   * Runs an act that overwrites a file, and keeps the file as it was. `undo`: the id to bring it back; undefined where it could not
   * be kept, which does not stop the act. The act receives the stat again, because a link in the trash changes its time of change. The
   * caller holds the lock on the name.
   */
  keepOverwritten<T>(entry: Entry, old: BigIntStats, act: (old: BigIntStats) => Promise<T>): Promise<Undoable<T>>;
}

/** The result of an act that can be undone. */
export interface Undoable<T> {
  readonly result: T;
  readonly undo: string | undefined;
}

/** Runs an act that replaces an entry, and stores the old one in the trash if there is one. */
export async function withTrash<T>(
  trash: TrashWriter | undefined,
  entry: Entry,
  old: BigIntStats | undefined,
  act: (old: BigIntStats | undefined) => Promise<T>,
): Promise<Undoable<T>> {
  if (trash === undefined || old === undefined) return { result: await act(old), undo: undefined };
  return await trash.keepOverwritten(entry, old, act);
}
