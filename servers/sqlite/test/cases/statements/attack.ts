// One group of statements in the tables of this folder. `OUT` and `ROOT` stand for folders, `LIBRARY` for a library that can be loaded.

export interface Attack {
  readonly id: string;
  /** The statements in words, as the object of a sentence. */
  readonly what: string;
  readonly sql: readonly string[];
}
