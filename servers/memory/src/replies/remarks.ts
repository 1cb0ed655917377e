// Remarks of replies: lists of names and counts in words, each on one line.
import { clip, counted, truncateText } from "@oarlock/domain-kit";
import type { Relation } from "../graph/model.ts";
import type { PastFacts } from "../graph/read/open-nodes.ts";
import type { ShownEntity } from "../graph/read/page-builder.ts";
import type { RecordedDates } from "../graph/read/recorded-dates.ts";
import type { DeletedCounts, MissingItem } from "../graph/write/deletion.ts";
import type { SimilarNames } from "../graph/write/similar-names.ts";

const MAX_LISTED = 20;
const MAX_NAME_LENGTH = 100;
/** Enough to tell a fact from the others. */
const MAX_FACT_LENGTH = 40;
/** Of a list: a small --max-result-bytes reserves little for remarks. */
const MAX_LIST_LENGTH = 1000;

export const quoteName = (name: string): string => clip(name, MAX_NAME_LENGTH);

export const quoteRelation = ({ from, to, relationType }: Relation): string =>
  `${quoteName(from)} → ${quoteName(relationType)} → ${quoteName(to)}`;

export const quoteFact = (name: string, fact: string): string => `${quoteName(name)} "${clip(fact, MAX_FACT_LENGTH)}"`;

/** One sentence with the first items; no sentence where there are none. */
export function listRemark<T>(subject: string, items: readonly T[], quote: (item: T) => string, nextStep = ""): string[] {
  if (items.length === 0) return [];
  const listed = items.slice(0, MAX_LISTED).map(quote);
  if (items.length > MAX_LISTED) listed.push(`and ${items.length - MAX_LISTED} more`);
  return [`${subject}: ${truncateText(listed.join(", "), MAX_LIST_LENGTH)}.${nextStep === "" ? "" : ` ${nextStep}`}`];
}

/** What shows past facts: the second one is in each list of tools. */
export const PAST = "get_history or open_nodes with asOf";

export const pastRemark = (past: readonly PastFacts[] = []): string[] =>
  listRemark(`Past facts, in ${PAST}`, past, ({ name, count }) => `${count} of ${quoteName(name)}`);

/** "Ada 2026-05-01 ×2 2026-11-20 (confirmed 2026-12-01)": the first two observations are of May, the third was stated again. */
export function recordedRemark(dates: readonly RecordedDates[], entities: readonly ShownEntity[]): string[] {
  const days = new Set(dates.flatMap(({ recorded }) => recorded.map(({ date, confirmed }) => (confirmed === undefined ? date : ""))));
  const [day] = days;
  if (days.size === 1 && day !== "") return [`All recorded ${day}.`, ...validRemark(dates, entities)];
  return listRemark("Recorded, in the order of the observations", dates, ({ name, recorded }) => {
    const runs = recorded
      .slice(0, MAX_LISTED)
      .map(
        ({ date, confirmed, valid, count }) =>
          `${date}${count === 1 ? "" : ` ×${count}`}${confirmed === undefined ? "" : ` (confirmed ${confirmed})`}${valid === undefined ? "" : ` (valid ${valid})`}`,
      );
    return `${quoteName(name)} ${runs.join(" ")}${runs.length < recorded.length ? " …" : ""}`;
  });
}

/** `Tom "works at Acme" until 2026-02-02`. `entities`: those of the reply. */
function validRemark(dates: readonly RecordedDates[], entities: readonly ShownEntity[]): string[] {
  const observationsOf = new Map(entities.map(({ name, observations }) => [name, observations]));
  const valid = dates.flatMap(({ name, recorded }) => {
    const validOf = recorded.flatMap(({ count, valid }) => Array.from({ length: count }, () => valid));
    const facts = observationsOf.get(name) ?? [];
    return facts.flatMap((fact, index) => (validOf[index] === undefined ? [] : [`${quoteFact(name, fact)} ${validOf[index]}`]));
  });
  return listRemark("Valid", valid, (one) => one);
}

export const entityCount = (count: number): string => counted(count, "entity", "entities");

/** "2 entities, 1 relation"; empty where nothing is counted. */
function describeCounts({ entities = 0, observations = 0, relations = 0, formerNames = 0 }: Partial<DeletedCounts>): string {
  const counts = [
    [entities, entityCount(entities)],
    [observations, counted(observations, "observation")],
    [relations, counted(relations, "relation")],
    [formerNames, counted(formerNames, "former name")],
  ] as const;
  return counts.flatMap(([count, text]) => (count === 0 ? [] : [text])).join(", ");
}

/** What a write has stored, in a sentence. */
export function storedRemark(counts: Partial<DeletedCounts>, action: "Created" | "Added"): string {
  const described = describeCounts(counts);
  return described === "" ? `${action} nothing.` : `${action}: ${described}.`;
}

export function deletionRemark(counts: DeletedCounts, action: "Deleted" | "Purged"): string {
  const described = describeCounts(counts);
  return described === "" ? `${action} nothing: no item of the memory matches.` : `${action}: ${described}.`;
}

export const missingRemark = (missing: readonly MissingItem[]): string[] =>
  listRemark("Not found", missing, ({ item, suggestions }) =>
    suggestions.length === 0 ? quoteName(item) : `${quoteName(item)} (did you mean ${suggestions.map(quoteName).join(" or ")}?)`,
  );

export const createdRemark = (names: readonly string[]): string[] =>
  listRemark("Created, with type unknown", names, quoteName, "Set the type with update_entities.");

const quoteSimilar = ({ name, existing }: SimilarNames): string => `${quoteName(name)} is like ${existing.map(quoteName).join(" and ")}`;

export const similarRemark = (similar: readonly SimilarNames[]): string[] =>
  listRemark("Similar names exist", similar, quoteSimilar, "If they are the same, use update_entities with merge.");

/** The user was asked. */
export const declinedRemark = (declined: readonly SimilarNames[]): string[] =>
  listRemark("Not created, as the user declined", declined, quoteSimilar, "Use add_observations with the existing name.");

/** For a call with types of relations that no relation here has. `here`: the types that there are; undefined where some are as requested. */
export const typesRemark = (here: readonly string[] | undefined): string[] =>
  here === undefined
    ? []
    : [
        `No relation here is of the types in relationTypes. There ${here.length === 0 ? "is none at all" : `are ${here.map(quoteName).join(", ")}`}.`,
      ];
