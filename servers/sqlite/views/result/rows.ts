// Columns and rows of a result.

export interface ResultColumn {
  readonly name: string;
  /** Null for an expression. */
  readonly declaredType?: string | null;
}

export type Row = readonly unknown[];
