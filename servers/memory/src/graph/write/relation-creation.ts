// Creates relations. Existing ones stay as they are, but get the given times. The generator may pause at its `yield`s.
import { reportChange } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { formatTimes, type FactTimes } from "../rows/fact-times.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";
import { similarityKey } from "../text-index/normalization.ts";
import { knownNames } from "../read/known-names.ts";
import { checkItemCount, checkVisibleName, checkType } from "../validation.ts";
import { addRelationTimes } from "./fact-times.ts";
import { MissingEntities } from "./missing-entities.ts";
import type { OnSimilar, SimilarNames } from "./similar-names.ts";

export interface CreatedRelations {
  relations: Relation[];
  /** Relations that exist already. */
  skipped: Relation[];
  /** Relations that exist already and got the given times, with all of their times. */
  retimed?: Relation[];
  /** Names in new relations that no entity has. */
  dangling: string[];
  /** Entities that were created because they were missing. */
  created: string[];
  /** New entities with existing ones of similar names. */
  similar: SimilarNames[];
}

/** `createMissing`: also creates entities for names that no entity has. */
export function* createRelations(
  rows: Rows,
  call: CallHandle,
  asked: readonly Relation[],
  createMissing: boolean,
  onSimilar: OnSimilar = "create",
): Generator<void, CreatedRelations> {
  checkItemCount(asked.length);
  const columns = asked.map((relation) => formatTimes(relation, `${relation.from} → ${relation.to}`));
  for (const { from, to, relationType } of asked) {
    checkVisibleName(from, "Start of a relation");
    checkVisibleName(to, "End of a relation");
    checkType(relationType, "Type of a relation");
  }
  const askedNames = asked.flatMap(({ from, to }) => [from, to]);
  const known = knownNames(rows, askedNames);
  const wanted = asked.map(({ from, to, relationType }) => ({ from: known(from), to: known(to), relationType }));
  const names = wanted.flatMap(({ from, to }) => [from, to]);
  rows.prepare({
    names,
    keys: createMissing ? names.map(similarityKey) : [],
    relations: wanted.map(({ from, to, relationType }) => [from, to, relationType]),
  });
  const missing = new MissingEntities(rows, call, { count: names.length, onSimilar });
  const created: Pick<CreatedRelations, "relations" | "skipped" | "retimed"> = { relations: [], skipped: [] };
  const dangling = new Set<string>();
  for (const [index, relation] of wanted.entries()) {
    const { from, to, relationType } = relation;
    const times = columns[index];
    const existing = rows.relations.idOf(from, to, relationType);
    if (existing !== undefined) {
      reportChange([from, to, relationType]);
      const retimed = times === undefined ? undefined : addRelationTimes(rows, call, existing, times);
      if (retimed === undefined) created.skipped.push(relation);
      else (created.retimed ??= []).push({ ...relation, ...retimed });
      continue;
    }
    for (const name of [from, to]) {
      if (rows.entities.named(name) !== undefined) continue;
      if (createMissing) missing.create(name);
      else dangling.add(name);
    }
    rows.relations.insert(call.seq(), from, to, relationType, times);
    reportChange([from, to, relationType]);
    created.relations.push({ ...relation, ...(times !== undefined && (JSON.parse(times) as FactTimes)) }); // as formatTimes wrote it
    yield;
  }
  missing.check();
  return { ...created, dangling: [...dangling], created: missing.created, similar: missing.similar };
}
