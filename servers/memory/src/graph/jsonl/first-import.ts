// The first import of a file into a store that knows nothing of it: line by line, as one change.
import { hasRelation } from "../write/creation.ts";
import { insertRelation } from "../store/rows.ts";
import type { Change, Store } from "../store/store.ts";
import { insertRecord, joinEntity } from "./merge.ts";
import type { JsonlFile } from "./jsonl-file.ts";

export interface Damage {
  readonly number: number;
  readonly why: string;
  readonly raw: Buffer;
}

/** Lines that are the same thing as one before them, and why that is said. */
export const TWICE = "another line has the same name; its observations were joined to that";
export const AGAIN = "it says again what another line has said";

/** Gives the lines that are not in the store, or not all of them. Each `yield` is a place to pause. */
export function* takeIn(store: Store, change: Change, file: JsonlFile): Generator<void, Damage[]> {
  const damages: Damage[] = [];
  const seq = change.seq();
  for (const numbered of file.lines()) {
    const { read } = numbered;
    if (read.kind === "entity") {
      const isNew = joinEntity(store, seq, { ...read.entity, extra: read.extra });
      if (!isNew) damages.push({ ...numbered, why: TWICE });
    } else if (read.kind === "relation") {
      const { from, to, relationType } = read.relation;
      if (hasRelation(store, from, to, relationType)) damages.push({ ...numbered, why: AGAIN });
      else insertRelation(store, seq, from, to, relationType, read.extra);
    } else if (read.kind === "record") insertRecord(store, seq, read.line);
    else damages.push({ ...numbered, why: read.why });
    yield;
  }
  return damages;
}
