// A page of hits: whole where that is small, as in the reference server; otherwise the matching facts, best first.
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../../model.ts";
import { textBytesOfEntity, textBytesOfRelation } from "../../read/json-size.ts";
import { neighbours, relationsWithin } from "../../read/neighbourhood.ts";
import type { PastFacts } from "../../read/open-nodes.ts";
import type { Detail, ShownEntity } from "../../read/page-builder.ts";
import { recordedDates, type RecordedDates } from "../../read/recorded-dates.ts";
import type { EntityRow } from "../../rows/entities.ts";
import type { ObservationRow } from "../../rows/observations.ts";
import type { Rows } from "../../rows/rows.ts";
import { tagsOf } from "../../tags.ts";
import type { FoundBy, Hit } from "../hit.ts";
import { chooseFacts, SUMMARY_FACTS, SUMMARY_LENGTH } from "./chosen-facts.ts";
import { excerptOf } from "./excerpt.ts";
import type { PastWords } from "../nothing-found.ts";
import { matchingRelations } from "./matching-relations.ts";

/** Characters of a matching observation in `matches`. */
const MAX_MATCH_LENGTH = 400;
/** Of a whole page, an entity with more observations than a reader sees at once begins with those that match. */
const MAX_STORED_ORDER = 10;
/** Of the page, for the neighbours of the hits where they are asked for. */
const NEAR_SHARE = 0.4;
const RELATION_SHARE = 0.2;

export interface Match {
  name: string;
  score: number;
  /** One sentence that tells how it was found. */
  why: string;
  by?: FoundBy;
  observation?: string;
}

export interface SearchPage {
  entities: ShownEntity[];
  relations: Relation[];
  /** Further observations of the entities, best first. */
  more?: { name: string; observations: string[] }[];
  matches: Match[];
  /** When the observations were recorded. */
  recorded: RecordedDates[];
  /** How many hits there are; missing where that is not known. */
  total?: number;
  /** How many observations of the entities are not shown. */
  omittedFacts: number;
  /** How many facts were recorded in the time that is asked about, but are not of it by their own times. */
  ofOtherTimes?: number;
  /** Words of the query that no hit has: those of no text of the memory, and others. Only on the first page. */
  unknownWords?: string[];
  lackingWords?: string[];
  /** Words that only past facts have, and whose these are. */
  pastWords?: PastWords;
  /** How many past facts the first hits have. */
  past?: PastFacts[];
  /** How many neighbours of the hits did not fit. */
  omittedNear: number;
  truncated: boolean;
  nextCursor?: string;
}

export interface PageOptions {
  readonly detail: Detail;
  readonly depth?: number | undefined;
  /** Of the text. */
  readonly maxBytes: number;
}

type Content = Omit<SearchPage, "matches" | "recorded"> & {
  /** Those that are shown, for each of the entities. */
  readonly observationRows: readonly (readonly ObservationRow[])[];
  /** How many of the hits are on the page. */
  readonly listed: number;
};

/** `listed`: how many of the hits are on the page. `text`: the folded query. */
export function buildPage(rows: Rows, hits: readonly Hit[], text: string, options: PageOptions): { page: SearchPage; listed: number } {
  const { depth = 0 } = options;
  const near = neighbours(
    rows,
    hits.map(({ entity }) => entity.name),
    depth,
  );
  rows.prepare({ observationsOf: near.entities.map(({ id }) => id) });
  const content = wholePage(rows, hits, near, text, options) ?? matchingPage(rows, hits, near, text, options);
  const { listed, observationRows, ...page } = content;
  const matches = hits.slice(0, listed).map(({ entity, score, why, by, observation }) => ({
    name: entity.name,
    score,
    why,
    ...(by !== undefined && { by }),
    ...(observation !== undefined && { observation: excerptOf(observation, text, MAX_MATCH_LENGTH) }),
  }));
  return { page: { ...page, matches, recorded: recordedDates(rows, { entities: page.entities, observationRows }) }, listed };
}

type Near = ReturnType<typeof neighbours>;

/** Undefined where it does not fit. */
function wholePage(rows: Rows, hits: readonly Hit[], near: Near, query: string, { detail, maxBytes }: PageOptions): Content | undefined {
  if (near.hasMore) return undefined;
  const entities: ShownEntity[] = [];
  const observationRows: (readonly ObservationRow[])[] = [];
  let bytesLeft = maxBytes;
  for (const [at, entity] of [...hits.map((hit) => hit.entity), ...near.entities].entries()) {
    const stored = detail === "names" ? [] : rows.observations.of(entity.id);
    if (detail === "summary" && stored.length > SUMMARY_FACTS) return undefined;
    const observations = stored.length <= MAX_STORED_ORDER ? stored : bestFirst(stored, hits[at]);
    const maxLength = detail === "summary" ? SUMMARY_LENGTH : Number.POSITIVE_INFINITY;
    const listed = show(
      entity,
      observations.map(({ text }) => excerptOf(text, query, maxLength)),
    );
    bytesLeft -= textBytesOfEntity(listed);
    if (bytesLeft < 0) return undefined;
    entities.push(listed);
    observationRows.push(observations);
  }
  const complete = { entities, observationRows, listed: hits.length, omittedFacts: 0, omittedNear: 0, truncated: false };
  if (detail === "names") return { ...complete, relations: [] };
  const names = entities.map(({ name }) => name);
  const { relations, omitted } = relationsWithin(rows, names, bytesLeft, { bytesOf: textBytesOfRelation });
  return omitted > 0 ? undefined : { ...complete, relations };
}

/** The others are the newest ones first. */
function bestFirst(stored: readonly ObservationRow[], hit: Hit | undefined): ObservationRow[] {
  const best = (hit?.facts() ?? []).map(({ row }) => row.id);
  const first = new Set(best);
  const rowOf = new Map(stored.map((row) => [row.id, row]));
  return [...best.flatMap((id) => rowOf.get(id) ?? []), ...stored.filter(({ id }) => !first.has(id)).reverse()];
}

function matchingPage(rows: Rows, hits: readonly Hit[], near: Near, text: string, { detail, depth = 0, maxBytes }: PageOptions): Content {
  const nearBytes = near.entities.length === 0 ? 0 : maxBytes * NEAR_SHARE;
  const named = [...hits.map(({ entity }) => entity), ...near.entities].map(({ name }) => name);
  const possible = detail === "names" ? [] : matchingRelations(rows, named, { text, areAll: depth > 0 });
  // What relations do not need is for facts.
  const relationBytes = Math.min(
    maxBytes * RELATION_SHARE,
    possible.reduce((sum, relation) => sum + textBytesOfRelation(relation), 0),
  );
  const { hits: chosen, more } = chooseFacts(hits, { text, detail, maxBytes: maxBytes - nearBytes - relationBytes });
  const entities = chosen.map(({ hit, facts }) => {
    const total = rows.observations.of(hit.entity.id).length;
    const visible = show(
      hit.entity,
      facts.map((fact) => fact.text),
    );
    const omitted = total - facts.length;
    if (omitted === 0 || detail === "names") return visible;
    return { ...visible, ...(detail === "full" ? { omitted } : { observationCount: total }) };
  });
  const listed = entities.length;
  const around = firstNear(near.entities, nearBytes);
  const omittedFacts = entities.reduce((sum, { omitted = 0 }) => sum + omitted, 0) - more.reduce((sum, { facts }) => sum + facts.length, 0);
  entities.push(...around);
  const omittedNear = near.entities.length - around.length;
  const visible = new Set(entities.map(({ name }) => name));
  const between = possible.filter(({ from, to }) => visible.has(from) && visible.has(to));
  const relations = takeWithin(between, relationBytes, textBytesOfRelation);
  const observationRows = chosen.map(({ facts }) => facts.map(({ row }) => row));
  const further = more.map(({ hit, facts }) => ({ name: hit.entity.name, observations: facts.map((fact) => fact.text) }));
  return {
    entities,
    relations,
    ...(further.length > 0 && { more: further }),
    observationRows,
    listed,
    omittedFacts,
    omittedNear,
    truncated: near.hasMore || omittedNear > 0 || omittedFacts > 0,
  };
}

/** Their names and types. */
function firstNear(entities: readonly EntityRow[], maxBytes: number): ShownEntity[] {
  let bytesLeft = maxBytes;
  const listed: ShownEntity[] = [];
  for (const entity of entities) {
    const one = show(entity, []);
    bytesLeft -= textBytesOfEntity(one);
    if (bytesLeft < 0) break;
    listed.push(one);
  }
  return listed;
}

function show({ name, type, extra }: EntityRow, observations: string[]): ShownEntity {
  const tags = tagsOf(extra);
  return { name, entityType: type, observations, ...(tags.length > 0 && { tags }) };
}
