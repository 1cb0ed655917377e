// The memory of the recall benchmark: 200 dated facts, an entity each, about 20 people and how they are related.
import type { Entity, Relation } from "./corpus.ts";
import { PEOPLE, TIES, type Person } from "./people.ts";
import { TOPICS, type Topic } from "./topics.ts";

export interface Fact {
  /** The entity that holds it. */
  readonly name: string;
  readonly person: Person;
  readonly topic: Topic;
  /** From 0 to 23, since November 2024. */
  readonly month: number;
  readonly text: string;
}

const MONTHS = 24;
const DATE = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** Such as `March 2025`. */
export const nameOfMonth = (month: number): string => DATE.format(Date.UTC(2024, 10 + month, 1));

/** In an order that has nothing to do with people or topics, as facts come. Each person has one fact in a month at most. */
export const FACTS: readonly Fact[] = TOPICS.flatMap((topic, topicAt) =>
  PEOPLE.map((person, personAt) => ({ topic, person, month: (topicAt * 7 + personAt * 5) % MONTHS })),
)
  .toSorted((a, b) => a.month - b.month)
  .map(({ topic, person, month }, at) => ({
    name: `fact ${at + 1}`,
    topic,
    person,
    month,
    text: `${topic.fact(person)} (noted in ${nameOfMonth(month)}).`,
  }));

const KINDS = TOPICS.flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
const kindNames = new Set(KINDS.map(({ name }) => name));

export const ENTITIES: readonly Entity[] = [
  ...PEOPLE.map(({ name }) => ({ name, entityType: "person", observations: [] })),
  ...PEOPLE.map(({ nickname }) => ({ name: nickname, entityType: "nickname", observations: [] })),
  ...[...kindNames].map((name) => ({ name, entityType: "kind", observations: [] })),
  ...[...new Set(KINDS.flatMap(({ of }) => PEOPLE.map(of)))].map((name) => ({ name, entityType: "thing", observations: [] })),
  ...FACTS.map(({ name, text }) => ({ name, entityType: "fact", observations: [text] })),
];

export const RELATIONS: readonly Relation[] = [
  ...PEOPLE.map(({ name, nickname }) => ({ from: nickname, to: name, relationType: "also_known_as" })),
  ...KINDS.flatMap(({ of, name }) => PEOPLE.map((person) => ({ from: of(person), to: name, relationType: "is_a" }))),
  ...TIES.flatMap(({ type, distance }) =>
    PEOPLE.map(({ name }, at) => ({ from: name, to: PEOPLE[(at + distance) % PEOPLE.length]?.name ?? "", relationType: type })),
  ),
  ...FACTS.map(({ name, person }) => ({ from: name, to: person.name, relationType: "about" })),
];
