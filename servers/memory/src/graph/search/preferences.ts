// What may decide besides the match, where the operator wants it (--ranking): importance, by tags of entities, and decay, by how long ago their
// newest fact was stated.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { tagsOf } from "../tags.ts";
import { fold } from "../text-index/normalization.ts";
import { weightOf } from "./fact-ranking.ts";
import { byRank, type RankedEntity } from "./ranking.ts";

export type Preference = "match" | "importance" | "decay" | "both";

/** The best matches, whose order may change. */
const MAX_RANKED = 30;
/** An important entity passes about so many others. */
const IMPORTANCE_WEIGHT = 4;
/** An entity whose newest fact is a month younger passes about one other. */
const DECAY_WEIGHT = 1;
const MONTH_MS = 30 * 86_400_000;
/** Reciprocal ranks are added, from the literature: large enough that the first of one ranking does not outweigh good places in two. */
const RANK_OFFSET = 60;

const IMPORTANCE: Readonly<Record<string, number>> = { important: 1, unimportant: -1 };

/** The entities with the best ones in the preferred order, those with all words still first. `entities`: best first. */
export function preferBest(rows: Rows, entities: readonly RankedEntity[], preference: Preference): readonly RankedEntity[] {
  if (preference === "match") return entities;
  const best = entities.slice(0, MAX_RANKED);
  const ids = best.map(({ match }) => match.entity.id);
  const ranks = ranksOf(best, 1, ({ merit }) => weightOf(merit));
  if (preference !== "decay")
    addRanks(
      ranks,
      ranksOf(best, IMPORTANCE_WEIGHT, ({ match }) => importanceOf(match.entity)),
    );
  if (preference !== "importance") {
    rows.prepare({ observationsOf: ids });
    rows.prepare({ calls: ids.map((id) => lastStatedBy(rows, id)) });
    const monthsAgo = ({ match }: RankedEntity): number => -Math.floor((Date.now() - lastStatedAt(rows, match.entity.id)) / MONTH_MS);
    addRanks(ranks, ranksOf(best, DECAY_WEIGHT, monthsAgo));
  }
  return entities
    .map((one): RankedEntity => {
      const [level, score, ...equal] = one.place;
      const rank = ranks.get(one);
      return { ...one, place: [level, rank === undefined ? score / (1 + score) : 1 + rank, ...equal] };
    })
    .sort((a, b) => byRank(a.place, b.place));
}

/** What each place adds. Equal merits share a rank. */
function ranksOf(entities: readonly RankedEntity[], weight: number, meritOf: (entity: RankedEntity) => number): Map<RankedEntity, number> {
  const merits = [...new Set(entities.map(meritOf))].sort((a, b) => b - a);
  return new Map(entities.map((one) => [one, weight / (RANK_OFFSET + 1 + merits.indexOf(meritOf(one)))]));
}

function addRanks(ranks: Map<RankedEntity, number>, others: ReadonlyMap<RankedEntity, number>): void {
  for (const [one, rank] of others) ranks.set(one, (ranks.get(one) ?? 0) + rank);
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
