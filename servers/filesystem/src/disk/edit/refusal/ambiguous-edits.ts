// The edits behind a refused one that are not unique either: all of them can be mended before the next call.
import { counted } from "@oarlock/domain-kit";
import { toLf } from "../lf-view.ts";
import type { LineOrigins } from "./line-origins.ts";
import { linesAt } from "../occurrences.ts";

interface TextPair {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
  readonly expectedCount?: number | undefined;
}

const MAX_LISTED = 5;
const MAX_LINES = 5;
/** More edits in a long text take too long for a message. */
const MAX_SEARCHED = 50_000_000;

/**
 * One line for a message, or nothing. An edit that is refused for another reason, or that replaces several places, is left out: it may
 * depend on the refused one. `text`: with LF only, as the edits before `from` have made it.
 */
export function describeAmbiguous(text: string, edits: readonly TextPair[], from: number, origins: LineOrigins): string {
  const found: string[] = [];
  let current = text;
  for (let index = from, searched = 0; index < edits.length && searched < MAX_SEARCHED; index += 1) {
    const { oldText, newText, replaceAll, expectedCount } = edits[index] ?? { oldText: "", newText: "" };
    if (oldText === "" || replaceAll === true || expectedCount !== undefined) continue;
    searched += current.length;
    const old = toLf(oldText);
    const [start, ...others] = firstStarts(current, old);
    if (start === undefined) continue;
    if (others.length > 0) {
      found.push(`edit ${index + 1}, at ${linesAt(current, [start, ...others], (line) => origins.of(line), MAX_LINES)}`);
      continue;
    }
    const span = { start, end: start + old.length, text: toLf(newText) };
    origins.follow(current, [span]);
    current = current.slice(0, start) + span.text + current.slice(span.end);
  }
  if (found.length === 0) return "";
  const more = found.length > MAX_LISTED ? `; and ${counted(found.length - MAX_LISTED, "more edit")}` : "";
  return `\nNot unique either: ${found.slice(0, MAX_LISTED).join("; ")}${more}.`;
}

function firstStarts(text: string, old: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(old); at !== -1 && starts.length <= MAX_LINES; at = text.indexOf(old, at + 1)) starts.push(at);
  return starts;
}
