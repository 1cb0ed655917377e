// New names that may mean an entity which exists under another name: they differ only in case, accents, blanks or punctuation, or were its
// name before.
import type { Rows } from "../rows/rows.ts";
import { similarityKey } from "../text-index/normalization.ts";

const MAX_SIMILAR = 3;
/** Former names are looked up one by one. */
const MAX_NAMES_WITH_FORMER = 20;

export interface SimilarNames {
  name: string;
  existing: string[];
}

/** What happens to a similar name: it is created, it is not, or the call ends with SimilarNamesFound, so that the user can be asked first. */
export type OnSimilar = "create" | "refuse" | "ask";

/** Ends a call that would create similar names. Nothing was changed. */
export class SimilarNamesFound extends Error {
  override readonly name = "SimilarNamesFound";
  readonly similar: readonly SimilarNames[];

  constructor(similar: readonly SimilarNames[]) {
    super("similar names exist");
    this.similar = similar;
  }
}

/** Finds existing names that are similar to new ones. `count`: of all names in the call. */
export const similarityCheck =
  (rows: Rows, count: number) =>
  (name: string): string[] => {
    const spelled = rows.entities.withKey(similarityKey(name), MAX_SIMILAR).map((row) => row.name);
    const former = count > MAX_NAMES_WITH_FORMER ? [] : rows.entities.formerlyNamed(name, MAX_SIMILAR);
    return [...new Set([...spelled, ...former])].slice(0, MAX_SIMILAR);
  };
