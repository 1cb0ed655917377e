// The hits of a page by how they were found.
import { ALL_WORDS_SCORE } from "../hit.ts";
import type { SearchPage } from "./search-page.ts";

/** Names of the hits that have some of the words only. */
export const partialMatches = ({ matches }: SearchPage): string[] =>
  matches.filter(({ score, by }) => score < ALL_WORDS_SCORE && by !== "meaning").map(({ name }) => name);

/** Names of the hits that were found by their meaning. */
export const nearMatches = ({ matches }: SearchPage): string[] => matches.filter(({ by }) => by === "meaning").map(({ name }) => name);
