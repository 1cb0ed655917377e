// One line of the twin run: calls that both servers get, each on a file of its own that starts out the same.
import type { Json } from "@oarlock/server-kit/protocol";
import type { DeviationId } from "./deviations.ts";

export type Call = readonly [tool: string, args: Json];

export interface Row {
  readonly does: string;
  /** What the file holds before. */
  readonly file: string;
  readonly calls: readonly Call[];
  /** Left out: the two agree to the letter, in what they say and in what they leave. */
  readonly differs?: Difference;
}

export interface Difference {
  readonly by: DeviationId;
  /** What ours says of the last call: the whole text, a pattern for it, or the JSON that it is. */
  readonly ours: string | RegExp | Json | readonly unknown[];
  readonly refusing: "both" | "ours" | "none" | "the other";
  /** The file that ours leaves, where it is not the other's. */
  readonly leaves?: string;
}

/** Both say and do the same. */
export const same = (does: string, file: string, ...calls: Call[]): Row => ({ does, file, calls });

export const differs = (does: string, file: string, call: Call | readonly Call[], difference: Difference): Row => ({
  does,
  file,
  calls: isCalls(call) ? call : [call],
  differs: difference,
});

const isCalls = (call: Call | readonly Call[]): call is readonly Call[] => typeof call[0] !== "string";
