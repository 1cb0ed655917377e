/** The files that the memory suite starts from, made once and kept: as the official server writes them. */
import { writeFileSync } from "node:fs";
import { madeOnce } from "./paths.ts";

const WORDS = (
  "amber birch coffee delta ember fjord grove harbour indigo juniper kelp lagoon meadow nectar opal prairie quartz river saffron timber " +
  "umber valley willow xenon yarrow zephyr"
).split(" ");

export const wordAt = (at: number): string => WORDS[at % WORDS.length] ?? "";

const nameOf = (at: number): string => `${wordAt(at)} ${wordAt(at * 7 + 3)} #${at}.`;

/** A JSONL file of so many entities with three observations each, and of as many relations. */
export const graph = (size: number): string => madeOnce(`graph-${size}.jsonl`, (draft) => writeFileSync(draft, linesOf(size).join("\n")));

function linesOf(size: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < size; at++) {
    const observations = [
      `expects parcel ${at} near the ${wordAt(at * 3)} by the ${wordAt(at * 5 + 1)}`,
      `seen with ${wordAt(at * 11)} on day ${at % 365}`,
      `note ${(at * 2_654_435_761) >>> 0}`,
    ];
    lines.push(JSON.stringify({ type: "entity", name: nameOf(at), entityType: `kind ${at % 20}`, observations }));
  }
  for (let at = 0; at < size; at++) {
    lines.push(JSON.stringify({ type: "relation", from: nameOf(at), to: nameOf((at * 17 + 1) % size), relationType: "knows" }));
  }
  return lines;
}
