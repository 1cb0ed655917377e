// The text of a search without a hit: why there may be none, and what to do next.
import { counted } from "@oarlock/domain-kit";
import type { NothingFound } from "../graph/search/nothing-found.ts";
import { entityCount, PAST, quoteName } from "./remarks.ts";

/** What other programs take for everything. */
const WILDCARD = /^\s*[*%]+\s*$/;

/** `filtered`: names that the search would find without its filters. */
export function nothingFoundRemark(query: string, nothing: NothingFound, filtered: readonly string[]): string {
  const { unknownWords, similar, past, hasPast, deleted, entities, language } = nothing;
  if (entities + past.length + deleted.length === 0) return "Nothing found: this memory is empty.";
  if (WILDCARD.test(query)) return `Nothing found: ${query.trim()} is searched as text. An empty query lists everything, the newest first.`;
  const list = (items: readonly string[]): string => items.map(quoteName).join(", ");
  return [
    "Nothing found.",
    ...(unknownWords.length > 0 ? [`No fact has: ${list(unknownWords)}.`] : []),
    ...(language === undefined ? [] : [`The facts are in ${language}: search in their words.`]),
    ...(similar.length > 0 ? [`Similar: ${list(similar)}.`] : []),
    ...(filtered.length > 0 ? [`Without the filters: ${list(filtered)}.`] : []),
    ...past.map(({ name, count }) => `${counted(count, "past fact")}: ${quoteName(name)}, ${PAST}.`),
    ...deleted.map(({ name, at }) => `${quoteName(name)} was deleted on ${at}: ${PAST}.`),
    ...(hasPast && similar.length + filtered.length + past.length + deleted.length === 0 ? [`There are past facts: ${PAST}.`] : []),
    `${entityCount(entities)}: an empty query lists them.`,
  ].join(" ");
}
