// What a search by meaning finds.

export interface SemanticMatch {
  readonly entity: number;
  /** The nearest observation; undefined where the name and type are nearest. */
  readonly observation: number | undefined;
  /** From 0 to 1. */
  readonly similarity: number;
}

export interface SemanticMatches {
  /** Nearest first. They may have ended in the meantime. */
  readonly matches: readonly SemanticMatch[];
  /** What the reader of a reply should know. */
  readonly remark?: string;
}
