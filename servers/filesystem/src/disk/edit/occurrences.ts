// Where a text occurs in another one.
import { DiskError } from "../errors.ts";
import { lineAt } from "./lf-view.ts";

const MAX_MATCHES = 1_000_000;
const MAX_LINES = 20;

/** A step of 1 also counts overlapping occurrences, because they make a place ambiguous. */
export function startsOf(text: string, old: string, step: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + step)) {
    if (starts.length === MAX_MATCHES) throw new DiskError("too-large", `oldText occurs more than ${MAX_MATCHES} times.`);
    starts.push(at);
  }
  return starts;
}

/** For a message. `lineOf`: the number that it gives to a line of the text, from 1. */
export function linesAt(text: string, starts: readonly number[], lineOf: (line: number) => number, most = MAX_LINES): string {
  const lines = starts.slice(0, most).map((start) => lineOf(lineAt(text, start)));
  const more = starts.length > most ? " and more" : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
}
