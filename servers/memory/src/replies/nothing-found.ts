// The text of a search without a hit: why there may be none, and what to do next.
import { counted } from "@oarlock/domain-kit";
import type { NothingFound } from "../graph/search/nothing-found.ts";
import { entityCount, quoteName } from "./remarks.ts";

/** `filtered`: names that the search would find without its filters. */
export function nothingFoundRemark({ unknownWords, similar, past, deleted, entities }: NothingFound, filtered: readonly string[]): string {
  if (entities + past.length + deleted.length === 0) return "Nothing found: this memory is empty.";
  const list = (items: readonly string[]): string => items.map(quoteName).join(", ");
  return [
    "Nothing found.",
    ...(unknownWords.length > 0 ? [`Not in this memory: ${list(unknownWords)}.`] : []),
    ...(similar.length > 0 ? [`Similar: ${list(similar)}.`] : []),
    ...(filtered.length > 0 ? [`Without the filters: ${list(filtered)}.`] : []),
    ...past.map(({ name, count }) => `${counted(count, "past fact")}: ${quoteName(name)}, get_history.`),
    ...deleted.map(({ name, at }) => `${quoteName(name)} was deleted on ${at}: get_history.`),
    `${entityCount(entities)}: read_graph with detail "names" lists them.`,
  ].join(" ");
}
