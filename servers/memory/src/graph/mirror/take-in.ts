// The first import of a file into a store that knows nothing of it: line by line, as one change.
import type { Entity } from "../facts.ts";
import { entityNamed, insertEntity, insertObservation, insertRelation, observationsOf } from "../rows.ts";
import type { Change, Store } from "../store.ts";
import { hasRelation } from "../create.ts";
import type { JsonlFile, Numbered } from "./file.ts";

export interface Damage {
  readonly number: number;
  readonly why: string;
  readonly raw: Buffer;
}

export interface Taken {
  entities: number;
  relations: number;
  /** Lines that are not in the store, or not all of them. */
  damages: Damage[];
}

/** Each `yield` tells how many lines are done. */
export function* takeIn(store: Store, change: Change, file: JsonlFile): Generator<number, Taken> {
  const taken: Taken = { entities: 0, relations: 0, damages: [] };
  const seq = change.seq();
  for (const numbered of file.lines()) {
    const { read } = numbered;
    if (read.kind === "entity") takeEntity(store, seq, numbered, read, taken);
    else if (read.kind === "relation") {
      const { from, to, relationType } = read.relation;
      if (hasRelation(store, from, to, relationType)) taken.damages.push({ ...numbered, why: "it says again what another line has said" });
      else {
        insertRelation(store, seq, from, to, relationType, read.extra);
        taken.relations++;
      }
    } else if (read.kind === "record") store.insert("INSERT INTO record (line, created) VALUES (?, ?)", read.line, seq);
    else taken.damages.push({ ...numbered, why: read.why });
    yield numbered.number;
  }
  return taken;
}

function takeEntity(
  store: Store,
  seq: number,
  numbered: Numbered,
  { entity, extra }: { entity: Entity; extra: string | undefined },
  taken: Taken,
): void {
  const { name, entityType, observations } = entity;
  const known = entityNamed(store, name);
  const id = known?.id ?? insertEntity(store, seq, { name, entityType, extra });
  const present = new Set(known === undefined ? [] : observationsOf(store, id).map(({ text }) => text));
  for (const text of observations) if (!present.has(text)) insertObservation(store, seq, id, text);
  if (known === undefined) taken.entities++;
  else taken.damages.push({ ...numbered, why: "another line has the same name; its observations were joined to that" });
}
