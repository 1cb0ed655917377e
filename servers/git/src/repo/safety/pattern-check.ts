// Patterns that callers give to git: counted repetitions within each other take memory without end, and are refused.
import { GitError, clip } from "../errors.ts";

/** All counts of a pattern multiplied. */
const MOST = 10_000;

export function checkPattern(pattern: string | undefined): void {
  let product = 1;
  for (const [, least = "", most = ""] of (pattern ?? "").matchAll(/\\?\{(\d*),?(\d*)\\?\}/g))
    product *= Math.max(1, Number(least), Number(most));
  if (product > MOST)
    throw new GitError("invalid", `The pattern repeats too much (its counts multiply to more than ${MOST}): ${clip(pattern ?? "", 80)}`);
}
