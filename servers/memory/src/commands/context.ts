// What every command is called with.
import type { EmbeddingsConfiguration } from "../configured-embeddings.ts";
import type { Location } from "../graph/location.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";

export interface CommandContext {
  /** Where the memory is stored. Nothing has been created there; only `import` does that. */
  readonly location: Location;
  /** What it says on stderr. */
  readonly output: ProgressOutput;
  /** With which it searches. Default: none. */
  readonly embeddings?: EmbeddingsConfiguration | undefined;
}

/** Called wrongly. The message names the problem. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
