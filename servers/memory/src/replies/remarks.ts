// Remarks of replies: lists of names and counts in words, each on one line.
import { clip, counted, truncateText } from "@oarlock/domain-kit";
import type { Relation } from "../graph/model.ts";
import type { RecordedDates } from "../graph/read/recorded-dates.ts";
import type { SimilarNames } from "../graph/write/creation.ts";
import type { DeletedCounts, MissingItem } from "../graph/write/deletion.ts";

const MAX_LISTED = 20;
const MAX_NAME_LENGTH = 100;
/** Of a list: a small --max-result-bytes reserves little for remarks. */
const MAX_LIST_LENGTH = 1000;

export const quoteName = (name: string): string => clip(name, MAX_NAME_LENGTH);

export const quoteRelation = ({ from, to, relationType }: Relation): string =>
  `${quoteName(from)} → ${quoteName(relationType)} → ${quoteName(to)}`;

/** One sentence with the first items; no sentence where there are none. */
export function listRemark<T>(subject: string, items: readonly T[], quote: (item: T) => string, nextStep = ""): string[] {
  if (items.length === 0) return [];
  const listed = items.slice(0, MAX_LISTED).map(quote);
  if (items.length > MAX_LISTED) listed.push(`and ${items.length - MAX_LISTED} more`);
  return [`${subject}: ${truncateText(listed.join(", "), MAX_LIST_LENGTH)}.${nextStep === "" ? "" : ` ${nextStep}`}`];
}

/** "Ada 2026-05-01 ×2 2026-11-20 (confirmed 2026-12-01)": the first two observations are of May, the third was stated again. */
export const recordedRemark = (dates: readonly RecordedDates[]): string[] =>
  listRemark("Recorded, in the order of the observations", dates, ({ name, recorded }) => {
    const runs = recorded
      .slice(0, MAX_LISTED)
      .map(
        ({ date, confirmed, count }) =>
          `${date}${count === 1 ? "" : ` ×${count}`}${confirmed === undefined ? "" : ` (confirmed ${confirmed})`}`,
      );
    return `${quoteName(name)} ${runs.join(" ")}${runs.length < recorded.length ? " …" : ""}`;
  });

export const entityCount = (count: number): string => counted(count, "entity", "entities");

export function deletionRemark(
  { entities, observations, relations, formerNames = 0 }: DeletedCounts,
  action: "Deleted" | "Purged",
): string {
  const counts = [
    entityCount(entities),
    counted(observations, "observation"),
    counted(relations, "relation"),
    counted(formerNames, "former name"),
  ];
  const found = [entities, observations, relations, formerNames].flatMap((count, index) => (count === 0 ? [] : [counts[index]]));
  return found.length === 0 ? `${action} nothing: no item of the memory matches.` : `${action}: ${found.join(", ")}.`;
}

export const missingRemark = (missing: readonly MissingItem[]): string[] =>
  listRemark("Not found", missing, ({ item, suggestions }) =>
    suggestions.length === 0 ? quoteName(item) : `${quoteName(item)} (did you mean ${suggestions.map(quoteName).join(" or ")}?)`,
  );

export const similarRemark = (similar: readonly SimilarNames[]): string[] =>
  listRemark(
    "Similar names exist",
    similar,
    ({ name, existing }) => `${quoteName(name)} is like ${existing.map(quoteName).join(" and ")}`,
    "If they are the same, use update_entities with merge.",
  );
