// A row of the comparison: calls to both servers, each with a file of its own that starts with the same content.
import type { Json } from "@oarlock/server-kit/protocol";
import type { DeviationId } from "./deviations.ts";

export type Call = readonly [tool: string, args: Json];

export interface Row {
  readonly does: string;
  /** The content of the file before the calls. */
  readonly file: string;
  readonly calls: readonly Call[];
  /** The intended difference. Left out where replies and files are equal. */
  readonly differs?: Difference;
}

export interface Difference {
  readonly by: DeviationId;
  /** The reply of this server to the last call: the whole text, a pattern, or its JSON. */
  readonly ours: string | RegExp | Json | readonly unknown[];
  readonly refusing: "both" | "ours" | "none" | "the other";
  /** The file after the calls, where it differs from that of the reference server. */
  readonly leaves?: string;
}

/** Both servers behave the same. */
export const same = (does: string, file: string, ...calls: Call[]): Row => ({ does, file, calls });

export const differs = (does: string, file: string, call: Call | readonly Call[], difference: Difference): Row => ({
  does,
  file,
  calls: isCalls(call) ? call : [call],
  differs: difference,
});

const isCalls = (call: Call | readonly Call[]): call is readonly Call[] => typeof call[0] !== "string";
