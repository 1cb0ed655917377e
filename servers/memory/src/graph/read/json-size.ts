// What things weigh in a reply, in bytes: they go out as indented JSON inside a JSON string, and once more in the structured
// result.
import type { Entity, Relation } from "../model.ts";

const PLAIN = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/;

/** As JSON it is the same between quotes. */
export const isPlain = (text: string): boolean => PLAIN.test(text);

/** A text as a value: quoted in the structured result, quoted twice in the text. */
function weighString(text: string): number {
  if (isPlain(text)) return 2 * text.length + 6;
  const once = JSON.stringify(text);
  return Buffer.byteLength(once) + Buffer.byteLength(JSON.stringify(once)) - 2;
}

/** With its line and the comma, twice. */
export const weighObservation = (text: string): number => weighString(text) + 13;

const ENTITY = 190;
const RELATION = 160;

export function weighEntity({ name, entityType, observations }: Entity): number {
  return ENTITY + weighString(name) + weighString(entityType) + observations.reduce((sum, text) => sum + weighObservation(text), 0);
}

export function weighRelation({ from, to, relationType }: Relation): number {
  return RELATION + weighString(from) + weighString(to) + weighString(relationType);
}

/** As many of the first as there is room for. */
export function thoseThatFit<T>(items: readonly T[], room: number, weigh: (item: T) => number): T[] {
  const fitting: T[] = [];
  for (const item of items) {
    room -= weigh(item);
    if (room < 0) break;
    fitting.push(item);
  }
  return fitting;
}

/** Anything small, by its JSON. */
export const weighAny = (value: unknown): number => 60 + 4 * JSON.stringify(value).length;
