// Creates entities and observations. Existing ones stay as they are, also when a call names them twice. Each generator may
// pause at its `yield`s.
import { clip, nearestNames, reportChange } from "@oarlock/domain-kit";
import type { Entity } from "../model.ts";
import { endedBefore, formatTimes, timesOf, type FactTimes } from "../rows/fact-times.ts";
import type { CallHandle, Rows } from "../rows/rows.ts";
import { normalizeTags, sameTags, tagsOf, withTags } from "../tags.ts";
import { similarityKey } from "../text-index/normalization.ts";
import { knownNames } from "../read/known-names.ts";
import { checkItemCount, checkVisibleName, checkText, checkType } from "../validation.ts";
import { confirmObservations } from "./confirmations.ts";
import { entityMissing, MissingEntities, observationMissing } from "./missing-entities.ts";
import { addTimes, replacementTimes, setTimes } from "./fact-times.ts";
import { similarityCheck, SimilarNamesFound, type OnSimilar, type SimilarNames } from "./similar-names.ts";

const MAX_QUOTED_LENGTH = 60;

export interface CreatedEntities {
  entities: (Entity & { tags?: string[] })[];
  /** Names that exist already. */
  skipped: string[];
  /** New entities with existing ones of similar names; with `refuse`, those that were not created. */
  similar: SimilarNames[];
}

export interface NewEntity extends Entity, FactTimes {
  tags?: readonly string[] | undefined;
}

export function* createEntities(
  rows: Rows,
  call: CallHandle,
  asked: readonly NewEntity[],
  onSimilar: OnSimilar = "create",
): Generator<void, CreatedEntities> {
  checkItemCount(asked.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  const columns = asked.map((entity) => formatTimes(entity, entity.name));
  for (const { name, entityType, observations } of asked) {
    checkVisibleName(name);
    checkType(entityType, `Type of ${clip(name, MAX_QUOTED_LENGTH)}`);
    checkObservations(name, observations);
  }
  const askedNames = asked.map(({ name }) => name);
  const known = knownNames(rows, askedNames);
  const wanted = asked.map((entity) => ({ ...entity, name: known(entity.name) }));
  rows.prepare({
    names: wanted.map(({ name }) => name),
    keys: wanted.map(({ name }) => similarityKey(name)),
    types: wanted.map(({ entityType }) => entityType),
  });
  const created: CreatedEntities = { entities: [], skipped: [], similar: [] };
  const similarTo = similarityCheck(rows, wanted.length);
  for (const [index, { name, entityType, observations: given, tags: givenTags = [] }] of wanted.entries()) {
    if (rows.entities.named(name) !== undefined) {
      created.skipped.push(name);
      continue;
    }
    const existing = similarTo(name);
    if (existing.length > 0) {
      created.similar.push({ name, existing });
      if (onSimilar !== "create") continue;
    }
    const observations = [...new Set(given)];
    const tags = normalizeTags(givenTags);
    const extra = tags.length === 0 ? undefined : withTags(undefined, tags);
    const id = rows.entities.insert(call.seq(), { name, entityType, extra });
    reportChange([name]);
    for (const text of observations) {
      rows.observations.insert(call.seq(), id, text, columns[index]);
      yield;
    }
    created.entities.push({ name, entityType, observations, ...(tags.length > 0 && { tags }) });
    yield;
  }
  if (onSimilar === "ask" && created.similar.length > 0) throw new SimilarNamesFound(created.similar);
  return created;
}

function checkObservations(entityName: string, texts: readonly string[]): void {
  for (const text of texts) checkText(text, `Observation of ${clip(entityName, MAX_QUOTED_LENGTH)}`);
}

export interface NewObservations extends FactTimes {
  entityName: string;
  contents: string[];
  /** Tags that the entity gets too. */
  tags?: readonly string[] | undefined;
  /** Observations that the new ones replace. */
  supersedes?: string[] | undefined;
}

export interface AddedObservations {
  results: { entityName: string; addedObservations: string[] }[];
  /** Entities that were created because they were missing. */
  created: string[];
  /** New entities with existing ones of similar names. */
  similar: SimilarNames[];
  /** `until`: when they held last, where the new ones tell it. */
  superseded: (ObservationsOf & { until?: string })[];
  /** Given observations that the entities have already. */
  existing: ObservationsOf[];
  /** Those of them that got the given times, with all of their times. */
  retimed?: RetimedObservation[];
  /** Entities that got tags. */
  tagged?: string[];
}

export interface RetimedObservation extends FactTimes {
  entityName: string;
  observation: string;
}

export interface ObservationsOf {
  entityName: string;
  observations: string[];
}

/** `createMissing`: creates missing entities. Otherwise throws for them. */
export function* addObservations(
  rows: Rows,
  call: CallHandle,
  asked: readonly NewObservations[],
  createMissing: boolean,
  onSimilar: OnSimilar = "create",
): Generator<void, AddedObservations> {
  checkItemCount(asked.reduce((sum, { contents }) => sum + 1 + contents.length, 0));
  const askedNames = asked.map(({ entityName }) => entityName);
  const known = knownNames(rows, askedNames);
  const wanted = asked.map((one) => ({ ...one, entityName: known(one.entityName) }));
  const names = wanted.map(({ entityName }) => entityName);
  rows.prepare({ names, keys: createMissing ? names.map(similarityKey) : [] });
  rows.prepare({ observationsOf: names.flatMap((name) => rows.entities.named(name)?.id ?? []) });
  const missing = new MissingEntities(rows, call, { count: names.length, onSimilar });
  const added: AddedObservations = {
    results: [],
    created: missing.created,
    similar: missing.similar,
    superseded: [],
    existing: [],
  };
  const newIds = new Set<number>();
  for (const item of wanted) {
    const { entityName, contents, supersedes = [], tags = [] } = item;
    const times = formatTimes(item, entityName);
    checkObservations(entityName, contents);
    reportChange([entityName]);
    let entity = rows.entities.named(entityName)?.id;
    if (entity === undefined) {
      if (!createMissing) throw entityMissing(rows, entityName);
      checkVisibleName(entityName);
      entity = missing.create(entityName);
    }
    if (addTags(rows, call, entityName, tags)) (added.tagged ??= []).push(entityName);
    const existing = rows.observations.of(entity);
    const existingTexts = new Set(existing.map(({ text }) => text));
    const unknown = supersedes.find((text) => !existingTexts.has(text));
    if (unknown !== undefined) throw observationMissing(entityName, unknown, nearestNames(unknown, existingTexts, 1)[0]);
    const newTexts = [...new Set(contents)].filter((text) => !existingTexts.has(text));
    const repeated = contents.filter((text) => existingTexts.has(text));
    if (repeated.length > 0) added.existing.push({ entityName, observations: repeated });
    const given = new Set(contents);
    confirmObservations(
      rows,
      call,
      existing.filter(({ id, text }) => given.has(text) && !newIds.has(id)),
    );
    for (const row of existing) {
      const retimed = times === undefined || !given.has(row.text) ? undefined : addTimes(rows, call, row, times);
      if (retimed !== undefined) (added.retimed ??= []).push({ entityName, observation: row.text, ...retimed });
    }
    let firstNew: number | undefined;
    for (const text of newTexts) {
      const id = rows.observations.insert(call.seq(), entity, text, times);
      firstNew ??= id;
      newIds.add(id);
      yield;
    }
    added.results.push({ entityName, addedObservations: newTexts });
    // A text that is given again is still true.
    const ending = new Set(supersedes);
    const superseded = existing.filter(({ text }) => ending.has(text) && !given.has(text));
    let until: string | undefined;
    for (const observation of superseded) {
      const ended = endedBefore(observation, replacementTimes(contents, times));
      if (ended !== undefined) {
        setTimes(rows, call, observation.id, ended);
        until = timesOf({ text: "", times: ended }).validTo;
      }
      rows.observations.end(call.seq(), observation, firstNew);
    }
    if (superseded.length > 0)
      added.superseded.push({ entityName, observations: superseded.map(({ text }) => text), ...(until !== undefined && { until }) });
    yield;
  }
  missing.check();
  return added;
}

/** Whether it lacked some. */
function addTags(rows: Rows, call: CallHandle, name: string, given: readonly string[]): boolean {
  const entity = given.length === 0 ? undefined : rows.entities.named(name);
  if (entity === undefined) return false;
  const present = tagsOf(entity.extra);
  const tags = normalizeTags([...present, ...given]);
  if (sameTags(tags, present)) return false;
  call.seq();
  rows.entities.setExtra(entity.id, withTags(entity.extra, tags));
  return true;
}
