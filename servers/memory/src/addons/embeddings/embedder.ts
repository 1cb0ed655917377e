// What computes embeddings: an endpoint or a local model. Both report failures as an EmbeddingsError.

export interface EmbedOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Embeddings {
  /** One for each text, in their order, all of one length. */
  readonly vectors: readonly Float32Array[];
  /** The model that computed them, where the endpoint names it. */
  readonly model: string | undefined;
}

export interface Embedder {
  /** For messages: an address without its query, or a model. Never holds a key. */
  readonly displayName: string;
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embeddings>;
}

/**
 * - `away`: no answer, or one that says to try later.
 * - `refused`: the key, the address or the model is wrong; a person has to change something.
 * - `input`: this input is not accepted; another one may be.
 * - `malformed`: the answer is not the one of an embeddings endpoint.
 */
export type EmbeddingsErrorKind = "away" | "refused" | "input" | "malformed";

export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  readonly kind: EmbeddingsErrorKind;
  /** What an endpoint wants its clients to wait. */
  readonly retryAfterMs: number | undefined;

  /** `message`: continues a sentence that begins with the name of the embedder, such as "does not answer (ECONNREFUSED)". */
  constructor(kind: EmbeddingsErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
