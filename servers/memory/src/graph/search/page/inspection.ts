// Why a search has its order: the facts that it has ranked, the parts of their scores, and what the page leaves out.
import { truncateText } from "@oarlock/domain-kit";
import type { Rows } from "../../rows/rows.ts";
import { TIERS, type Hit, type ScoreParts } from "../hit.ts";
import { candidatesOf, type WeighedFact } from "./chosen-facts.ts";
import { excerptOf } from "./excerpt.ts";
import type { SearchPage } from "./search-page.ts";

/** Facts that are listed; the others are counted. */
const MAX_FACTS = 50;
/** Of a name and of a fact. */
const MAX_LENGTH = 80;

/** What has kept a fact off the page: there were enough hits, or no place. */
export type Cut = "limit" | "max_tokens";

export interface InspectedFact {
  readonly rank: number;
  readonly entity: string;
  /** Missing for an entity that was found by its name or type and has no fact to show. */
  readonly fact?: string;
  /** Whether the entity contains the whole query: such ones come first, whatever the scores. */
  readonly hasWholeQuery: boolean;
  readonly parts?: ScoreParts;
  /** The day on which it was recorded: of equal facts the newest comes first. */
  readonly recorded?: string;
  readonly cut?: Cut;
}

export interface Inspection {
  readonly facts: readonly InspectedFact[];
  /** How many facts were candidates, of how many entities; those of further hits are not counted. */
  readonly candidates: number;
  readonly entities: number;
  /** Whether these are all hits. */
  readonly areAll: boolean;
  /** How many of the candidates are not on the page. */
  readonly cut: Readonly<Record<Cut, number>>;
}

export interface InspectedPage {
  /** The folded query. */
  readonly text: string;
  readonly page: SearchPage;
  /** How many of the hits are on the page. */
  readonly listed: number;
  readonly limit: number;
  readonly areAll: boolean;
}

export function inspectHits(rows: Rows, hits: readonly Hit[], inspected: InspectedPage): Inspection {
  const candidates = candidatesOf(hits, "full");
  const cuts = cutsOf(candidates, inspected);
  rows.prepare({ calls: candidates.slice(0, MAX_FACTS).flatMap(({ row }) => row?.created ?? []) });
  const facts = candidates.slice(0, MAX_FACTS).flatMap(({ hit: at, row, parts }, index): InspectedFact[] => {
    const hit = hits[at];
    if (hit === undefined) return [];
    const cut = cuts[index];
    return [
      {
        rank: index + 1,
        entity: truncateText(hit.entity.name, MAX_LENGTH),
        hasWholeQuery: hit.position[0] < TIERS.ranked,
        ...(row !== undefined && { fact: excerptOf(row.text, inspected.text, MAX_LENGTH), recorded: dayOf(rows, row.created) }),
        ...(parts !== undefined && { parts }),
        ...(cut !== undefined && { cut }),
      },
    ];
  });
  const cut = { limit: cuts.filter((one) => one === "limit").length, max_tokens: cuts.filter((one) => one === "max_tokens").length };
  return { facts, candidates: candidates.length, entities: hits.length, areAll: inspected.areAll, cut };
}

/** For each candidate; the page has the first ones of each hit. */
function cutsOf(candidates: readonly WeighedFact[], { page, listed, limit }: InspectedPage): (Cut | undefined)[] {
  const left = page.entities.slice(0, listed).map(({ name, observations }) => {
    const further = (page.more ?? []).filter((one) => one.name === name).reduce((sum, one) => sum + one.observations.length, 0);
    return observations.length + further;
  });
  return candidates.map(({ hit, row }) => {
    if (hit >= limit) return "limit";
    const count = left[hit];
    if (count === undefined) return "max_tokens";
    left[hit] = count - 1;
    return row === undefined || count > 0 ? undefined : "max_tokens";
  });
}

const dayOf = (rows: Rows, seq: number): string => new Date(rows.calls.find(seq)?.at ?? 0).toISOString().slice(0, 10);
