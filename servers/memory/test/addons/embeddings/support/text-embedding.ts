// A real, small embedding without a trained model: each text becomes the sum of fixed random directions of its word parts and of the concepts
// of its words. Texts that share parts of words or concepts are near. It shows that ranking and storage work; how well a model understands
// texts it does not show, because the concepts were written by hand.
import { createHash } from "node:crypto";
import { CONCEPTS } from "./concepts.ts";

export const DIMENSIONS = 256;

/** Words that every question has. */
const FREQUENT = new Set(
  "a an and are as at be been by can could did do does for from had has have he her him his how i in is it its me my of on or our she that the their them they this to was we were what when where which who whom whose why will with would you your user".split(
    " ",
  ),
);
const FREQUENT_WEIGHT = 0.1;
const CONCEPT_WEIGHT = 1;
const PART_LENGTH = 3;
const MIN_STEM_LENGTH = 3;
const MAX_ENDING_LENGTH = 3;

const directions = new Map<string, Float32Array>();
const conceptsOfWords = new Map<string, readonly string[]>();

/** `dimensions`: another model, in effect. */
export function embed(text: string, dimensions: number = DIMENSIONS): number[] {
  const vector = new Float32Array(dimensions);
  const add = (feature: string, weight: number): void => {
    for (const [at, value] of directionOf(feature, dimensions).entries()) vector[at] = (vector[at] ?? 0) + weight * value;
  };
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []) {
    const weight = FREQUENT.has(word) ? FREQUENT_WEIGHT : 1;
    const parts = partsOf(word);
    for (const part of parts) add(part, weight / Math.sqrt(parts.length));
    const concepts = FREQUENT.has(word) ? [] : conceptsOf(word);
    for (const concept of concepts) add(`concept ${concept}`, CONCEPT_WEIGHT / Math.sqrt(concepts.length));
  }
  const length = Math.hypot(...vector);
  return Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function partsOf(word: string): string[] {
  const padded = `^${word}$`;
  return Array.from({ length: Math.max(1, padded.length - PART_LENGTH + 1) }, (_, at) => padded.slice(at, at + PART_LENGTH));
}

function conceptsOf(word: string): readonly string[] {
  const known = conceptsOfWords.get(word);
  if (known !== undefined) return known;
  const concepts = CONCEPTS.flatMap((line) => {
    const [name = "", stems = ""] = line.split(":");
    const isMeant = stems
      .trim()
      .split(" ")
      .some(
        (stem) =>
          word === stem || (stem.length > MIN_STEM_LENGTH && word.startsWith(stem) && word.length - stem.length <= MAX_ENDING_LENGTH),
      );
    return isMeant ? [name] : [];
  });
  conceptsOfWords.set(word, concepts);
  return concepts;
}

/** Fixed, and nearly orthogonal to those of other features. */
function directionOf(feature: string, dimensions: number): Float32Array {
  const key = `${dimensions} ${feature}`;
  let direction = directions.get(key);
  if (direction === undefined) {
    let bits = Buffer.alloc(0);
    for (let block = 0; bits.length * 8 < dimensions; block++)
      bits = Buffer.concat([bits, createHash("sha256").update(`${block} ${feature}`).digest()]);
    direction = Float32Array.from(
      { length: dimensions },
      (_, at) => ((bits[at >> 3] ?? 0) & (1 << (at & 7)) ? 1 : -1) / Math.sqrt(dimensions),
    );
    directions.set(key, direction);
  }
  return direction;
}
