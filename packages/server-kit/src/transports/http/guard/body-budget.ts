// BodyBuffer: one request body as it arrives, in one growing buffer. BodyBudget: bounds what the bodies of all requests take meanwhile.
import type { HttpExchange } from "../http-exchange.ts";
import type { ByteBudget } from "../caller.ts";
import { bodyTooLarge, HttpError } from "../responses.ts";

const NO_BYTES = new Uint8Array();

/** How many bytes the bodies that are still arriving may take together. */
export class BodyBudget implements ByteBudget {
  readonly #maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.#maxBytes) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/** Takes from what all requests may take, and from what the caller of this one may. */
export function budgetOf({ caller }: HttpExchange, all: ByteBudget): ByteBudget {
  if (caller === undefined) return all;
  const { bodies } = caller;
  return {
    take(bytes) {
      if (!bodies.take(bytes)) return false;
      if (all.take(bytes)) return true;
      bodies.release(bytes);
      return false;
    },
    release(bytes) {
      bodies.release(bytes);
      all.release(bytes);
    },
  };
}

/** Bodies up to this size are not counted, so that short requests are served even when long ones have used up the budget. */
const UNCOUNTED_BYTES = 16 * 1024;

export interface BodyBufferOptions {
  readonly maxBytes: number;
  readonly budget: ByteBudget;
  /** May return memory with other contents: only what was written is read. Default: memory that is filled with zeros. */
  allocate?(bytes: number): Uint8Array;
}

/** Collects the chunks of one body in one buffer: in a list, small chunks would take a hundred times their size. */
export class BodyBuffer {
  readonly #options: BodyBufferOptions;
  #bytes: Uint8Array = NO_BYTES;
  #size = 0;
  /** Bytes that are reserved for this body. */
  #taken = 0;

  constructor(options: BodyBufferOptions) {
    this.#options = options;
  }

  /** Returns the error to answer with when this body is too long, or all bodies together are. */
  add(chunk: Uint8Array): HttpError | undefined {
    const { maxBytes } = this.#options;
    const before = this.#size;
    const size = before + chunk.length;
    if (size > maxBytes) return bodyTooLarge(maxBytes);
    if (before === 0) {
      if (!this.#take(chunk.length)) return tooManyBodies();
      this.#bytes = chunk; // most bodies are one chunk
    } else {
      if (this.#bytes.length < size && !this.#enlarge(Math.min(2 * size, maxBytes))) return tooManyBodies();
      this.#bytes.set(chunk, before);
    }
    this.#size = size;
    return undefined;
  }

  #enlarge(length: number): boolean {
    if (!this.#take(length)) return false;
    const { allocate = (bytes) => new Uint8Array(bytes) } = this.#options;
    const larger = allocate(length);
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
    return true;
  }

  /** Reserves from the budget what is missing for a buffer of this length. False where the budget has less. */
  #take(length: number): boolean {
    if (length <= UNCOUNTED_BYTES) return true;
    if (!this.#options.budget.take(length - this.#taken)) return false;
    this.#taken = length;
    return true;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Forgets the body. May be called again. */
  release(): void {
    this.#options.budget.release(this.#taken);
    this.#taken = 0;
    this.#size = 0;
    this.#bytes = NO_BYTES;
  }
}

const tooManyBodies = (): HttpError =>
  new HttpError(503, "Server busy: too many long requests arrive at once. Retry shortly.", {
    limit: "bodies",
    headers: ["Retry-After", "1"],
  });
