// What operations read and write: the rows of a memory. SQLite and Postgres each implement it, and the operations are written once.
import type { Counted } from "../model.ts";
import type { Calls } from "./calls.ts";
import type { EntityRows } from "./entities.ts";
import type { ObservationRows } from "./observations.ts";
import type { RelationRows } from "./relations.ts";
import type { TextRows } from "./texts.ts";

export type Totals = { entities: number; relations: number };

/** Counts of the whole graph that no index has ready. */
export interface Figures {
  readonly observations: number;
  /** Entities with the most observations. */
  readonly largest: readonly Counted[];
  /** Entities without relations. */
  readonly orphans: number;
  /** Names in relations that no entity has. */
  readonly dangling: number;
  /** The largest groups of names that differ only in case, accents, blanks or punctuation. */
  readonly duplicates: readonly (readonly string[])[];
  /** Milliseconds since 1970. */
  readonly lastChange: number | undefined;
}

export interface FigureLimits {
  readonly largest: number;
  readonly duplicates: number;
  readonly namesOfDuplicates: number;
}

/** Rows that an operation is about to read. */
export interface Wanted {
  readonly names?: Iterable<string>;
  readonly ids?: Iterable<number>;
  /** Keys of names, see similarityKey. */
  readonly keys?: Iterable<string>;
  /** Types of new entities. */
  readonly types?: Iterable<string>;
  /** Entities whose observations are read. */
  readonly observationsOf?: Iterable<number>;
  /** Entities whose past observations are counted. */
  readonly pastCountsOf?: Iterable<number>;
  /** Names whose relations are read. */
  readonly relationsAt?: Iterable<string>;
  readonly relations?: Iterable<readonly [source: string, target: string, type: string]>;
  readonly calls?: Iterable<number>;
  /** As of this call. Default: now. */
  readonly asOf?: number | undefined;
}

export interface Rows {
  readonly entities: EntityRows;
  readonly observations: ObservationRows;
  readonly relations: RelationRows;
  readonly calls: Calls;
  readonly texts: TextRows;
  /** Runs `query` on one state of the memory. */
  read<T>(query: () => T): T;
  /** Lets a store on another machine read rows together that would otherwise be read one by one. */
  prepare(wanted: Wanted): void;
  /** The items, with `prepare` for many of them at a time. */
  inBatches<T>(items: Iterable<T>, wantedBy: (batch: readonly T[]) => Wanted): Iterable<T>;
  totals(): Totals;
  figures(limits: FigureLimits): Figures;
  /** The key that seals cursors; the same for all processes that share the memory. */
  cursorKey(): Uint8Array;
  /** Records of a JSONL file that are neither entities nor relations. */
  insertRecord(seq: number, line: string): void;
  endRecord(seq: number, id: number): void;
}

/** The call that a change belongs to. Its number is taken on first use: a call that changes nothing has none. */
export interface CallHandle {
  seq(): number;
}
