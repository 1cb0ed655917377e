// What runs ripgrep: the binary in a child, or the same program as WebAssembly in a worker. Both take the same arguments and print
// the same output, so all that is built on them is the same too.

/** What ripgrep is to look at: the inside of a held directory, or files that are held open. */
export type Ground =
  | { readonly folder: string }
  /** Open for reading; only their content counts, not where the name of one leads by now. */
  | { readonly fds: readonly number[] };

export interface Work {
  readonly args: readonly string[];
  readonly ground: Ground;
  readonly signal: AbortSignal;
  /** Output as it comes; the bytes are the callee's. Returns true when it has seen enough. */
  output(chunk: Buffer): boolean;
}

export interface Ended {
  /** 0: matches, 1: none, 2: something went wrong, maybe beside matches. Undefined when it was ended from here. */
  readonly code: number | undefined;
  readonly errors: string;
}

export interface Engine {
  readonly name: "binary" | "wasm";
  /** Settles when nothing of the run is left: child or worker are gone. Aborted or with enough output it resolves all the same. */
  run(work: Work): Promise<Ended>;
  /** What ripgrep prints, and takes, as the name of a held file. */
  fileName(index: number): string;
}

/** Messages for the caller are short; a tree of unreadable directories fills a pipe with them. */
export const ERROR_BYTES = 4096;
