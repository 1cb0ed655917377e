// Looks objects up by any name that git understands, with a deadline, and repeats requests that another one ended.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import type { GitContext } from "./git-process.ts";
import { ObjectReader, ReaderEnded, ReaderExited, type Lookup, type ObjectContent } from "./object-reader.ts";

const DEADLINE_MS = 10_000;
const MAX_ATTEMPTS = 20;
/** `:/text`, `^{/text}` and `@{…}` search through history. */
const SEARCH = /:\/|\^\{\/|@\{/;

export class ObjectLookup {
  readonly #context: GitContext;
  #shared: ObjectReader | undefined;

  constructor(context: GitContext) {
    this.#context = context;
  }

  /** With `maxBytes` also reads the first bytes of the content. Throws a {@link GitError} when the deadline of 10 seconds passes. */
  async find(name: string | Buffer, maxBytes?: number, signal?: AbortSignal): Promise<Lookup<ObjectContent>> {
    if (typeof name !== "string" || !SEARCH.test(name)) {
      this.#shared ??= new ObjectReader(this.#context);
      return await findIn(this.#shared, name, maxBytes, signal);
    }
    // A search may take long, and other requests must not wait behind it.
    const own = new ObjectReader(this.#context);
    try {
      return await findIn(own, name, maxBytes, signal);
    } finally {
      own.close();
    }
  }

  close(): void {
    this.#shared?.close();
    this.#shared = undefined;
  }
}

async function findIn(
  reader: ObjectReader,
  name: string | Buffer,
  maxBytes: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Lookup<ObjectContent>> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  for (let attempt = 1; ; attempt++) {
    try {
      return await reader.read(name, maxBytes, either);
    } catch (error) {
      if (deadline.aborted && signal?.aborted !== true)
        throw new GitError(
          "invalid",
          `Revision "${clip(name.toString())}" takes too long to resolve. Give a commit id or a branch instead.`,
        );
      if (error instanceof ReaderExited) return "missing";
      if (!(error instanceof ReaderEnded) || attempt > MAX_ATTEMPTS) throw error;
    }
  }
}
