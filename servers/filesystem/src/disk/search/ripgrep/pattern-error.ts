// The error for a pattern that ripgrep refuses.
import { DiskError } from "../../errors.ts";
import { LINE_BREAK_ADVICE, PLAIN_TEXT_ADVICE } from "../contents/options.ts";

const WIDER_ADVICE =
  "Without look-around and backreferences: put what stands around into the pattern (to replace: into groups that replaceWith repeats, as $1).";

/** ripgrep's own words about a pattern, without its advice, which is about its own switches. */
export function patternError(errors: string): DiskError {
  const text = errors
    .replaceAll(/^rg: /gm, "")
    .replace(/\n\s*Consider enabling [^]*/, "")
    .trim();
  // A line break may be written in many ways, so ripgrep is the one to find it.
  if (/the literal "\\[nr]" is not allowed in a regex/.test(text)) {
    return new DiskError("invalid", `Pattern matches a line break: ${LINE_BREAK_ADVICE}`);
  }
  const advice = /error: (?:look-around|backreferences)\b/.test(text) ? WIDER_ADVICE : PLAIN_TEXT_ADVICE;
  return new DiskError("invalid", `Invalid pattern: ${text.slice(0, 1000)}\n${advice}`);
}
