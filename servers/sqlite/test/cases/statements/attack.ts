// A row of the tables of statements. `OUT` and `ROOT` in them stand for folders, `LIBRARY` for a real library.

export interface Attack {
  readonly id: string;
  readonly what: string;
  readonly sql: readonly string[];
}
