// New entities, relations and observations. What is there already stays as it is, also when it comes twice in one call.
import { clip, GraphError } from "../errors.ts";
import { checkCount, checkName, checkText, checkWord, type Entity, type Relation } from "../model.ts";
import { keyOf } from "../text-index/normalization.ts";
import { endObservation, entityNamed, insertEntity, insertObservation, insertRelation, observationsOf } from "../store/rows.ts";
import type { Change, Store } from "../store/store.ts";

/** What an entity is called that was made because something was to be said of it. */
const UNKNOWN_TYPE = "unknown";

export interface CreatedEntities {
  entities: Entity[];
  /** Names that are there already. */
  skipped: string[];
  /** New ones that are nearly called like others. */
  similar: { name: string; existing: string[] }[];
}

/** Each `yield` is a place to pause; so below. */
export function* createEntities(store: Store, change: Change, wanted: readonly Entity[]): Generator<void, CreatedEntities> {
  checkCount(wanted.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  for (const { name, entityType, observations } of wanted) {
    checkName(name);
    checkWord(entityType, `The type of ${clip(name, 60)}`);
    for (const text of observations) checkText(text, `An observation of ${clip(name, 60)}`);
  }
  const made: CreatedEntities = { entities: [], skipped: [], similar: [] };
  for (const { name, entityType, observations: given } of wanted) {
    if (entityNamed(store, name) !== undefined) {
      made.skipped.push(name);
      continue;
    }
    const existing = likeNamed(store, name);
    if (existing.length > 0) made.similar.push({ name, existing });
    const observations = [...new Set(given)];
    const id = insertEntity(store, change.seq(), { name, entityType });
    for (const text of observations) {
      insertObservation(store, change.seq(), id, text);
      yield;
    }
    made.entities.push({ name, entityType, observations });
    yield;
  }
  return made;
}

/** Entities whose names differ in case, accents, blanks or punctuation only. */
function likeNamed(store: Store, name: string): string[] {
  return store
    .all<{ name: string }>("SELECT name FROM entity WHERE key = ? AND ended IS NULL ORDER BY id LIMIT 3", keyOf(name))
    .map((row) => row.name);
}

export interface CreatedRelations {
  relations: Relation[];
  skipped: Relation[];
  /** Names at the ends of new relations that no entity has. */
  dangling: string[];
}

/** `createMissing` makes the entities at the ends that are not there. */
export function* createRelations(
  store: Store,
  change: Change,
  wanted: readonly Relation[],
  createMissing: boolean,
): Generator<void, CreatedRelations> {
  checkCount(wanted.length);
  for (const { from, to, relationType } of wanted) {
    checkName(from, "The name where a relation starts");
    checkName(to, "The name where a relation ends");
    checkWord(relationType, "The type of a relation");
  }
  const made: CreatedRelations = { relations: [], skipped: [], dangling: [] };
  const dangling = new Set<string>();
  for (const { from, to, relationType } of wanted) {
    if (hasRelation(store, from, to, relationType)) {
      made.skipped.push({ from, to, relationType });
      continue;
    }
    for (const name of [from, to]) {
      if (entityNamed(store, name) !== undefined) continue;
      if (createMissing) insertEntity(store, change.seq(), { name, entityType: UNKNOWN_TYPE });
      else dangling.add(name);
    }
    insertRelation(store, change.seq(), from, to, relationType);
    made.relations.push({ from, to, relationType });
    yield;
  }
  return { ...made, dangling: [...dangling] };
}

export const hasRelation = (store: Store, from: string, to: string, relationType: string): boolean =>
  store.get("SELECT 1 FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL", from, to, relationType) !== undefined;

export interface WantedObservations {
  entityName: string;
  contents: string[];
  /** What the new ones take the place of: it is past from now on. */
  supersedes?: string[] | undefined;
}

export interface AddedObservations {
  results: { entityName: string; addedObservations: string[] }[];
  /** Entities that were made for it. */
  created: string[];
  superseded: { entityName: string; observations: string[] }[];
}

export function* addObservations(
  store: Store,
  change: Change,
  wanted: readonly WantedObservations[],
  createMissing: boolean,
): Generator<void, AddedObservations> {
  checkCount(wanted.reduce((sum, { contents }) => sum + 1 + contents.length, 0));
  const added: AddedObservations = { results: [], created: [], superseded: [] };
  for (const { entityName, contents, supersedes = [] } of wanted) {
    for (const text of contents) checkText(text, `An observation of ${clip(entityName, 60)}`);
    let id = entityNamed(store, entityName)?.id;
    if (id === undefined) {
      if (!createMissing)
        throw new GraphError(
          "not-found",
          `Entity with name ${clip(entityName)} not found. Pass createMissing: true, or create_entities first. Nothing was changed.`,
        );
      checkName(entityName);
      id = insertEntity(store, change.seq(), { name: entityName, entityType: UNKNOWN_TYPE });
      added.created.push(entityName);
    }
    const entity = id;
    const present = observationsOf(store, id);
    const known = new Set(present.map(({ text }) => text));
    const past = new Set(supersedes);
    const missing = supersedes.find((text) => !known.has(text));
    if (missing !== undefined)
      throw new GraphError(
        "not-found",
        `${clip(entityName)} has no observation ${JSON.stringify(clip(missing, 100))} that could be superseded: give it word for word. Nothing was changed.`,
      );
    const fresh = [...new Set(contents)].filter((text) => !known.has(text));
    const ids: number[] = [];
    for (const text of fresh) {
      ids.push(insertObservation(store, change.seq(), entity, text));
      yield;
    }
    const said = new Set(contents);
    const gone = present.filter(({ text }) => past.has(text) && !said.has(text));
    for (const observation of gone) endObservation(store, change.seq(), observation, ids[0]);
    added.results.push({ entityName, addedObservations: fresh });
    yield;
    if (gone.length > 0) added.superseded.push({ entityName, observations: gone.map(({ text }) => text) });
  }
  return added;
}
