// Rows of observations.

export interface ObservationRow {
  readonly id: number;
  readonly text: string;
  /** The call that recorded it. */
  readonly created: number;
}

/** A present or past observation of an entity. */
export interface ObservationVersion {
  readonly text: string;
  readonly created: number;
  readonly ended: number | null;
  /** The text that replaced it. */
  readonly successor: string | null;
}

export interface ObservationRows {
  /** Observations of an entity, now or as of a call, oldest first. */
  of(entity: number, asOf?: number): ObservationRow[];
  countOf(entity: number): number;
  /** Newest first. */
  newest(most: number): { entity: number; created: number }[];
  /** Current ones, then past ones. */
  versionsOf(entity: number): ObservationVersion[];

  /** Returns the id. */
  insert(seq: number, entity: number, text: string): number;
  /** `successor`: the observation that replaces it. */
  end(seq: number, observation: Pick<ObservationRow, "id" | "text">, successor?: number): void;
}
