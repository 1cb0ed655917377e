// Figures about the graph: a cheap first look.
import { truncateText } from "@oarlock/domain-kit";
import type { Counted } from "../model.ts";
import type { Rows } from "../rows/rows.ts";

export interface Statistics {
  entities: number;
  relations: number;
  observations: number;
  entityTypes: Counted[];
  relationTypes: Counted[];
  /** Entities with the most observations. */
  largest: Counted[];
  /** Entities without relations. */
  orphans: number;
  /** Names in relations that no entity has. */
  dangling: number;
  /** Groups of names that differ only in case, accents, blanks or punctuation. */
  possibleDuplicates: string[][];
  lastChange?: string;
}

const MAX_LISTED = 20;
const MAX_LARGEST = 5;
const MAX_DUPLICATES_IN_GROUP = 5;
/** Longer names and types are truncated. */
const MAX_NAME_LENGTH = 200;

export function statistics(rows: Rows): Statistics {
  return rows.read(() => {
    const { observations, largest, orphans, dangling, duplicates, lastChange } = rows.figures({
      largest: MAX_LARGEST,
      duplicates: MAX_LISTED,
      namesOfDuplicates: MAX_DUPLICATES_IN_GROUP,
    });
    return {
      ...rows.totals(),
      observations,
      entityTypes: truncateNames(rows.entities.typeCounts(MAX_LISTED)),
      relationTypes: truncateNames(rows.relations.typeCounts(MAX_LISTED)),
      largest: truncateNames(largest),
      orphans,
      dangling,
      possibleDuplicates: duplicates.map((names) => names.map(truncateName)),
      ...(lastChange !== undefined && { lastChange: new Date(lastChange).toISOString() }),
    };
  });
}

const truncateName = (name: string): string => truncateText(name, MAX_NAME_LENGTH);

const truncateNames = (counts: readonly Counted[]): Counted[] => counts.map(({ name, count }) => ({ name: truncateName(name), count }));
