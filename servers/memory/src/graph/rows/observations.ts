// Rows of observations.

export interface ObservationRow {
  readonly id: number;
  readonly text: string;
  /** The call that recorded it. */
  readonly created: number;
  /** The last call that stated it again; null where none did. */
  readonly confirmed: number | null;
  /** When it holds and was stated, as JSON (fact-times.ts); null or absent where only its recording is known. */
  readonly times?: string | null;
}

/** A present or past observation of an entity. */
export interface ObservationVersion {
  readonly id: number;
  readonly text: string;
  readonly created: number;
  readonly ended: number | null;
  readonly confirmed: number | null;
  readonly times?: string | null;
  /** The text that replaced it. */
  readonly successor: string | null;
}

/** A version with the present or last name of its entity. */
export interface ChangedObservation extends ObservationVersion {
  readonly entity: string;
}

export interface ObservationRows {
  /** Observations of an entity, now or as of a call, oldest first. */
  of(entity: number, asOf?: number): readonly ObservationRow[];
  countOf(entity: number): number;
  /** Newest first. */
  newest(most: number): { entity: number; created: number }[];
  /** Current ones, then past ones. */
  versionsOf(entity: number): ObservationVersion[];
  /** How many observations of the entity have ended. */
  pastCountOf(entity: number): number;
  /** Those of the whole memory that were recorded last, and as many that ended last. In the order of their ids. */
  lastChanged(most: number): ChangedObservation[];

  /** Returns the id. */
  insert(seq: number, entity: number, text: string, times?: string | null): number;
  setTimes(id: number, times: string | null): void;
  confirm(seq: number, id: number): void;
  /** `successor`: the observation that replaces it. */
  end(seq: number, observation: Pick<ObservationRow, "id" | "text">, successor?: number): void;
}
