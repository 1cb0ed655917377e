// An index of the texts of a memory by meaning, beside its database. The graph knows it by this interface only; embeddings implement it.

export interface SemanticMatch {
  readonly entity: number;
  /** Undefined where the text is its name and type. */
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

export interface SemanticIndex {
  /** Adds the texts that are new in the memory. Returns at once: an index may be behind. */
  add(): void;
  /** Throws a GraphError where texts cannot be dropped: a purge would be incomplete. */
  checkDrop(): void;
  /** Drops the texts that the memory has no longer. Afterwards no file of the index contains them. */
  drop(): Promise<void>;
  /** The texts that are nearest to a query, at most so many. Does not throw. */
  near(query: string, most: number): Promise<SemanticMatches>;
  close(): Promise<void>;
}

/** The memory whose texts are indexed. */
export interface IndexedMemory {
  /** The path of its database, which must exist. */
  readonly database: string;
  /** Creates no file. */
  readonly readOnly: boolean;
  /** Logs a message for the operator. */
  readonly warn: (message: string) => void;
}

export interface SemanticIndexSource {
  /** False where searches use words only: then an index is opened only to drop texts from it. */
  readonly isSearched: boolean;
  open(memory: IndexedMemory): Promise<SemanticIndex>;
}
