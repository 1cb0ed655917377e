// Graphs for tests, as entities and relations and as a JSONL file.
import type { Entity, Relation } from "../../src/graph/model.ts";

export const entity = (name: string, entityType: string, ...observations: string[]): Entity => ({ name, entityType, observations });

export const relation = (from: string, relationType: string, to: string): Relation => ({ from, to, relationType });

/** In the format of the reference server, with a final newline. */
export const jsonl = (entities: readonly Entity[], relations: readonly Relation[] = []): string =>
  [
    ...entities.map(({ name, entityType, observations }) => ({ type: "entity", name, entityType, observations })),
    ...relations.map(({ from, to, relationType }) => ({ type: "relation", from, to, relationType })),
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");

/** `count` entities with three observations each, and as many relations, with fixed content. */
export function manyEntities(count: number): { entities: Entity[]; relations: Relation[] } {
  const words = [
    "amber",
    "birch",
    "coffee",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbour",
    "indigo",
    "juniper",
    "kelp",
    "lagoon",
    "meadow",
  ];
  const word = (at: number): string => words[at % words.length] ?? "";
  return {
    entities: Array.from({ length: count }, (_, at) =>
      entity(
        `Entity ${at}`,
        `kind ${at % 20}`,
        `fact ${at} about ${word(at)}`,
        `likes ${word(at * 7)} and ${word(at * 3 + 1)}`,
        `note ${at * 31}`,
      ),
    ),
    relations: Array.from({ length: count }, (_, at) => relation(`Entity ${at}`, "knows", `Entity ${(at * 17 + 1) % count}`)),
  };
}
