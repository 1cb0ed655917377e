// Imports a JSONL file into a store that knows nothing of it yet, line by line, in one change.
import type { CallHandle, Store } from "../store/store.ts";
import { DUPLICATE_ENTITY, DUPLICATE_RELATION, type Damage } from "./damaged-lines.ts";
import type { JsonlFile } from "./jsonl-file.ts";
import { addToEntity } from "./merge.ts";

/** Returns the lines that were not imported, or only in part. May pause after each line. */
export function* importFile(store: Store, call: CallHandle, file: JsonlFile): Generator<void, Damage[]> {
  const damages: Damage[] = [];
  const seq = call.seq();
  for (const line of file.lines()) {
    const { parsed } = line;
    if (parsed.kind === "entity") {
      const isNew = addToEntity(store, seq, { ...parsed.entity, extra: parsed.extra });
      if (!isNew) damages.push({ ...line, reason: DUPLICATE_ENTITY });
    } else if (parsed.kind === "relation") {
      const { from, to, relationType } = parsed.relation;
      if (store.relations.idOf(from, to, relationType) !== undefined) damages.push({ ...line, reason: DUPLICATE_RELATION });
      else store.relations.insert(seq, from, to, relationType, parsed.extra);
    } else if (parsed.kind === "record") store.insertRecord(seq, parsed.line);
    else damages.push({ ...line, reason: parsed.reason });
    yield;
  }
  return damages;
}
