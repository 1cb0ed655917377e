// Which facts of the hits a page shows, where it cannot show all: the best of all hits, as far as they fit.
import { tagsOf } from "../../tags.ts";
import { textBytesOf, textBytesOfEntity } from "../../read/json-size.ts";
import type { Detail } from "../../read/page-builder.ts";
import type { ObservationRow } from "../../rows/observations.ts";
import type { Hit, ScoreParts } from "../hit.ts";
import { excerptOf } from "./excerpt.ts";

export const SUMMARY_FACTS = 3;
export const SUMMARY_LENGTH = 200;
/** Of the page, for one fact. */
const LONGEST_SHARE = 0.25;
/** Of an entity, in the note that has its name again with the day of its facts. */
const DATE_BYTES = 12;
/** Facts that are grouped by their entities before the next ones follow: otherwise one with many would come before the best of the others. */
const BLOCK = 10;

export interface ChosenFact {
  readonly row: ObservationRow;
  /** Of a long one the part that matches. */
  readonly text: string;
}

export interface ChosenHit {
  readonly hit: Hit;
  /** Those that are shown with their entity. */
  readonly facts: readonly ChosenFact[];
}

export interface ChosenFacts {
  /** The first hits; the others have no place. */
  readonly hits: readonly ChosenHit[];
  /** Further facts of these, in runs of one entity. */
  readonly more: readonly ChosenHit[];
}

export interface FactOptions {
  /** The folded query. */
  readonly text: string;
  readonly detail: Detail;
  readonly maxBytes: number;
}

/** The best facts, as far as they fit. */
export function chooseFacts(hits: readonly Hit[], options: FactOptions): ChosenFacts {
  const fitting = fittingCandidates(hits, options);
  const chosen: { readonly block: number; readonly facts: ChosenFact[] }[] = [];
  const more: { readonly hit: Hit; readonly facts: ChosenFact[]; readonly block: number }[] = [];
  for (const [at, { hit: index, fact }] of fitting.entries()) {
    const hit = hits[index];
    if (hit === undefined) continue;
    const block = Math.floor(at / BLOCK);
    const own = (chosen[index] ??= { block, facts: [] });
    if (fact === undefined) continue;
    if (own.block === block) {
      own.facts.push(fact);
      continue;
    }
    const last = more.at(-1);
    const run = last?.hit === hit ? last : more.find((one) => one.hit === hit && one.block === block);
    if (run === undefined) more.push({ hit, facts: [fact], block });
    else run.facts.push(fact);
  }
  const listed = chosen.flatMap(({ facts }, at) => {
    const hit = hits[at];
    return hit === undefined ? [] : [{ hit, facts }];
  });
  return { hits: listed, more };
}

interface Candidate {
  readonly hit: number;
  readonly fact: ChosenFact | undefined;
}

/** In order. */
function fittingCandidates(hits: readonly Hit[], { text, detail, maxBytes }: FactOptions): Candidate[] {
  const maxLength = detail === "summary" ? SUMMARY_LENGTH : maxBytes * LONGEST_SHARE;
  const fitting: Candidate[] = [];
  const seen = new Set<number>();
  let bytesLeft = maxBytes;
  for (const { hit, row } of candidatesOf(hits, detail)) {
    const entity = hits[hit]?.entity;
    if (entity === undefined) continue;
    const fact = row === undefined ? undefined : { row, text: excerptOf(row.text, text, maxLength) };
    const shape = { name: entity.name, entityType: entity.type, observations: [], tags: tagsOf(entity.extra) };
    bytesLeft -=
      (seen.has(hit) ? 0 : textBytesOfEntity(shape) + textBytesOf(entity.name) + DATE_BYTES) +
      (fact === undefined ? 0 : textBytesOf(fact.text) + 1);
    if (bytesLeft < 0 && fitting.length > 0) break;
    fitting.push({ hit, fact });
    seen.add(hit);
  }
  return fitting;
}

export interface WeighedFact {
  /** Its position. */
  readonly hit: number;
  readonly row: ObservationRow | undefined;
  readonly weight: number;
  readonly parts?: ScoreParts | undefined;
}

/** Best first. A hit without facts, or whose facts are not shown, is one itself. */
export function candidatesOf(hits: readonly Hit[], detail: Detail): WeighedFact[] {
  let limit = Number.POSITIVE_INFINITY;
  const candidates = hits.flatMap((hit, at) => {
    const facts = detail === "names" ? [] : hit.facts().slice(0, detail === "summary" ? SUMMARY_FACTS : undefined);
    // In the order of the hits, whatever has put them there.
    limit = Math.min(limit, facts[0]?.weight ?? hit.score);
    if (facts.length === 0) return [{ hit: at, row: undefined, weight: limit }];
    return facts.map(({ row, weight, parts }): WeighedFact => ({ hit: at, row, weight: Math.min(limit, weight), parts }));
  });
  return candidates.sort((a, b) => b.weight - a.weight || a.hit - b.hit);
}
