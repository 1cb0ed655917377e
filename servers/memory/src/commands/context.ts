// What every command is called with.
import type { Location } from "../graph/location.ts";
import type { ProgressOutput } from "@oarlock/domain-kit";

export interface CommandContext {
  /** Where the memory is stored. Nothing has been created there; only `import` does that. */
  readonly location: Location;
  /** What it says on stderr. */
  readonly output: ProgressOutput;
}

/** Called wrongly. The message names the problem. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
