// Tools that list as well as change: under --read-only they keep the actions that only list.
import type { Dependencies } from "../dependencies.ts";

/** The annotations of such a tool; `hints` are those of its changing actions. */
export const hintsOf = (
  { readOnly }: Pick<Dependencies, "readOnly">,
  hints: { readonly destructive: boolean; readonly idempotent: boolean },
) => (readOnly ? { readOnly: true, openWorld: false } : { readOnly: false, ...hints, openWorld: false });
