// A model for sentence embeddings in this process.

export interface TextModel {
  /** Names its vectors: those of two models cannot be compared. */
  readonly name: string;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** Where the model is: a package that carries one, and a model that @huggingface/transformers finds on the disk. */
export interface ModelChoice {
  readonly package?: string | undefined;
  readonly model?: string | undefined;
}

/** What the error of an import or of a model says, for a message. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
