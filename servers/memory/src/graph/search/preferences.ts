// What may decide besides the match, where the operator wants it (--ranking): importance, by tags of entities, and decay, by how long ago their
// newest fact was stated.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { tagsOf } from "../tags.ts";
import { fold } from "../text-index/normalization.ts";
import type { FusedEntity, Ranking } from "./ranking.ts";

export const PREFERENCES = ["match", "importance", "decay", "both"] as const;
export type Preference = (typeof PREFERENCES)[number];

/** The best matches, which these rankings order. */
const MAX_RANKED = 30;
/** An important entity passes about so many others. */
const IMPORTANCE_WEIGHT = 4;
/** An entity whose newest fact is a month younger passes about one other. */
const DECAY_WEIGHT = 1;
const MONTH_MS = 30 * 86_400_000;

const IMPORTANCE: Readonly<Record<string, number>> = { important: 1, unimportant: -1 };

/** `entities`: best first. */
export function preferenceRankings(rows: Rows, entities: readonly FusedEntity[], preference: Preference): Ranking[] {
  if (preference === "match") return [];
  const best = entities.slice(0, MAX_RANKED).map(({ id }) => id);
  rows.prepare({ ids: best, observationsOf: best });
  const rankings: Ranking[] = [];
  if (preference !== "decay") rankings.push(toRanking(best, IMPORTANCE_WEIGHT, (id) => importanceOf(rows.entities.byId(id))));
  if (preference === "importance") return rankings;
  rows.prepare({ calls: best.map((id) => lastStatedBy(rows, id)) });
  rankings.push(toRanking(best, DECAY_WEIGHT, (id) => -Math.floor((Date.now() - lastStatedAt(rows, id)) / MONTH_MS)));
  return rankings;
}

function toRanking(ids: readonly number[], weight: number, meritOf: (id: number) => number): Ranking {
  const entities = ids.map((id) => ({ id, merit: meritOf(id), score: 0, reason: "" }));
  return { weight, entities: entities.sort((a, b) => b.merit - a.merit) };
}

/** What the preference has to do with a hit, as sentences behind its reason. */
export function preferenceReason(rows: Rows, entity: EntityRow, preference: Preference): string {
  const importance = preference === "importance" || preference === "both" ? importanceOf(entity) : 0;
  const tagged = importance === 0 ? "" : ` Tagged ${importance > 0 ? "important" : "unimportant"}.`;
  if (preference !== "decay" && preference !== "both") return tagged;
  const at = lastStatedAt(rows, entity.id);
  return at === 0 ? tagged : `${tagged} Last stated ${new Date(at).toISOString().slice(0, 10)}.`;
}

function importanceOf(entity: EntityRow | undefined): number {
  const tags = tagsOf(entity?.extra).map(fold);
  return tags.reduce((sum, tag) => sum + (IMPORTANCE[tag] ?? 0), 0);
}

/** The call that recorded or confirmed its newest fact; 0 where it has none. */
const lastStatedBy = (rows: Rows, id: number): number =>
  rows.observations.of(id).reduce((last, { created, confirmed }) => Math.max(last, created, confirmed ?? 0), 0);

/** Milliseconds since 1970; 0 where that is not known. */
const lastStatedAt = (rows: Rows, id: number): number => rows.calls.find(lastStatedBy(rows, id))?.at ?? 0;
