// Refuses regular expressions whose nested counted repetitions would make git use memory without bound.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";

/** The product of all counts in a pattern. */
const MAX_REPETITIONS = 10_000;

export function checkPattern(pattern: string | undefined): void {
  let product = 1;
  for (const [, least = "", most = ""] of (pattern ?? "").matchAll(/\\?\{(\d*),?(\d*)\\?\}/g))
    product *= Math.max(1, Number(least), Number(most));
  if (product > MAX_REPETITIONS)
    throw new GitError(
      "invalid",
      `The pattern ${clip(pattern ?? "", 80)} repeats too much: its counts multiply to more than ${MAX_REPETITIONS}. Use smaller counts.`,
    );
}
