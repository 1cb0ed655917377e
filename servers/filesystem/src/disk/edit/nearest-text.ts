// Describes the places in a file that resemble a text that was not found: the first difference, what it probably comes from, and the other
// places that are as near. Takes little more than one pass over the file, whatever the texts.
import { counted } from "@oarlock/domain-kit";
import { describeDifference, foldedDifferences } from "./first-difference.ts";
import { firstLineOf, nearestPlaces, type Places } from "./nearest-place.ts";
import { withoutLineNumbers } from "./pasted-line-numbers.ts";
import { fold, withoutEscapes } from "./text-folding.ts";

const MAX_LINES = 200;
const MAX_TEXT = 4_000_000;
const MAX_LISTED = 5;

/** A text that an edit may have meant. */
interface Variant {
  readonly text: string;
  /** How it differs from the edit: a sentence. */
  readonly remark?: string;
  /** The line on which it should begin, from 0. */
  readonly hint?: number;
}

interface Candidate extends Variant, Places {
  readonly wanted: readonly string[];
}

/** Lines for a message. `lineOf`: the number that the message gives to a line of the text, from 1. */
export function describeNearest(text: string, oldText: string, lineOf: (line: number) => number = (line) => line): string[] {
  if (text.length > MAX_TEXT) return ["The file is too large to look for text that resembles it. Use search_file_contents."];
  const lines = text.split("\n");
  const lineKeys = lines.map((line) => fold(line));
  const candidates = variantsOf(oldText).flatMap((variant) => candidateOf(lines, lineKeys, variant));
  const [found] = candidates.sort((a, b) => b.nearest.likeness - a.nearest.likeness);
  if (found === undefined) return ["Nothing in the file resembles it. Read the file again."];
  const line = firstLineOf(found.nearest, lines, found.wanted);
  const start = startOf(lines, line) + (line === found.nearest.line ? found.nearest.column : 0);
  const place = text.startsWith(found.text, start)
    ? [`${found.remark ?? ""} Changed so, it is at line ${lineOf(line + 1)}.`]
    : [
        "The nearest text, and the first difference there:",
        describeDifference(text, found.text, start, lineOf),
        remarkOf(text, found, start),
      ];
  return [...place, othersOf(found, lineOf)].filter((sentence) => sentence !== "");
}

function variantsOf(oldText: string): Variant[] {
  const unnumbered = withoutLineNumbers(oldText);
  const unescaped = withoutEscapes(oldText);
  return [
    { text: oldText },
    ...(unnumbered === undefined
      ? []
      : [
          {
            text: unnumbered.text,
            remark: "Its lines begin with line numbers, which are not part of the file: leave them out of oldText and newText.",
            hint: unnumbered.firstLine - 1,
          },
        ]),
    ...(unescaped.split("\n").length === oldText.split("\n").length
      ? []
      : [{ text: unescaped, remark: "Its line breaks are escaped twice: send them as line breaks." }]),
  ];
}

function candidateOf(lines: readonly string[], lineKeys: readonly string[], variant: Variant): Candidate[] {
  const wanted = variant.text.replace(/\n$/, "").split("\n").slice(0, MAX_LINES);
  const places = nearestPlaces(lines, lineKeys, wanted, variant.hint);
  return places === undefined ? [] : [{ ...variant, ...places, wanted }];
}

function startOf(lines: readonly string[], line: number): number {
  let start = 0;
  for (let index = 0; index < line; index += 1) start += (lines[index]?.length ?? 0) + 1;
  return start;
}

function remarkOf(text: string, { text: wanted, remark = "", nearest, wanted: lines }: Candidate, start: number): string {
  const folded = foldedDifferences(text, wanted, start);
  const others = lines.length - 1;
  const differs =
    folded.length > 0
      ? `It differs from the file in ${folded.join(", ")} only.`
      : others > 0 && nearest.sameLines === others
        ? `Only this line differs; ${others === 1 ? "the other one is" : `the other ${others} are`} the same.`
        : "";
  return [remark, differs].filter((sentence) => sentence !== "").join(" ");
}

function othersOf({ others, otherCount }: Candidate, lineOf: (line: number) => number): string {
  if (otherCount === 0) return "";
  const listed = others.slice(0, MAX_LISTED).map(({ line }) => lineOf(Math.max(line, 0) + 1));
  const more = otherCount - listed.length;
  return `Nearly as like: ${listed.length === 1 ? "line" : "lines"} ${listed.join(", ")}${more > 0 ? ` and ${counted(more, "more place")}` : ""}.`;
}
