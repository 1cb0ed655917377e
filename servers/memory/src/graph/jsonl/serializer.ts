// Serializes a snapshot of the graph as JSONL: entities, then relations, each in the order of their creation, then records of other programs.
import { toRelation } from "../rows/relations.ts";
import { Snapshot } from "../history/snapshot.ts";
import type { Store } from "../store/store.ts";
import { formatEntity, formatRelation } from "./records.ts";

const PIECE_LENGTH = 256 * 1024;

/** The lines as of the call `seq`, in pieces. Also yields empty pieces: each is a place to pause. */
export function* serializeGraph(store: Store, seq: number): Generator<string> {
  const snapshot = new Snapshot(store, seq);
  let piece = "";
  for (const page of snapshot.entities()) {
    for (const entity of page) {
      piece += `${formatEntity(entity, entity.extra)}\n`;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = "";
    }
    yield "";
  }
  for (const page of snapshot.relations()) {
    for (const row of page) piece += `${formatRelation(toRelation(row), row.extra)}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  for (const { line } of snapshot.records()) piece += `${line}\n`;
  yield piece;
}
