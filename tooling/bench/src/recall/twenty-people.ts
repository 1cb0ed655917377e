// Twenty people, ten dated facts about each, how they are related, and 300 questions: fifty of each kind. People and sentences are in
// `data/recall`, written by hand before any server was tried with them.
import type { Corpus, Entity, Question, QuestionKind, Relation } from "./corpus.ts";
import { readRecords } from "./data-table.ts";

type Row = Readonly<Record<string, string>>;

export interface Fact {
  /** The entity that holds it. */
  readonly name: string;
  readonly person: Row;
  /** How people ask for it: sentences with `{first}`, `{who}` and the columns of a person. */
  readonly topic: Row;
  /** From 0 to 23, since November 2024. */
  readonly month: number;
  readonly text: string;
}

const MONTHS = 24;
const PER_KIND = 50;
const DATE = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** Such as `March 2025`. */
const nameOfMonth = (month: number): string => DATE.format(Date.UTC(2024, 10 + month, 1));

export const PEOPLE: readonly Row[] = readRecords("recall/people.tsv").map((row) => ({ ...row, first: row["name"]?.split(" ")[0] ?? "" }));
const TOPICS = readRecords("recall/topics.tsv");

/** The person is that of the one so many lines below, counted in a circle. */
const TIES = [
  { type: "sister_of", noun: "sister", distance: 3 },
  { type: "neighbour_of", noun: "neighbour", distance: 7 },
  { type: "mentors", noun: "mentor", distance: 11 },
];

const tiedTo = (person: Row, distance: number): Row => PEOPLE[(PEOPLE.indexOf(person) + distance) % PEOPLE.length] ?? person;

const fill = (text: string | undefined, values: Row): string =>
  (text ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");

/** In an order that has nothing to do with people or topics, as facts come. Each person has one fact in a month at most. */
export const FACTS: readonly Fact[] = TOPICS.flatMap((topic, topicAt) =>
  PEOPLE.map((person, personAt) => ({ topic, person, month: (topicAt * 7 + personAt * 5) % MONTHS })),
)
  .toSorted((a, b) => a.month - b.month)
  .map((fact, at) => {
    const text = `${fill(fact.topic["fact"], fact.person)} (noted in ${nameOfMonth(fact.month)}).`;
    return { ...fact, name: `fact ${at + 1}`, text };
  });

const KINDS = TOPICS.filter(({ kind }) => kind !== "");
const thingsOf = (topic: Row): string[] => PEOPLE.map((person) => fill(topic["thing"], person));

const named = (names: readonly (string | undefined)[], entityType: string): Entity[] =>
  [...new Set(names)].map((name = "") => ({ name, entityType, observations: [] }));

const entities: Entity[] = [
  ...named(
    PEOPLE.map(({ name }) => name),
    "person",
  ),
  ...named(
    PEOPLE.map(({ nickname }) => nickname),
    "nickname",
  ),
  ...named(
    KINDS.map(({ kind }) => kind),
    "kind",
  ),
  ...named(KINDS.flatMap(thingsOf), "thing"),
  ...FACTS.map(({ name, text }) => ({ name, entityType: "fact", observations: [text] })),
];

const relation = (from = "", relationType = "", to = ""): Relation => ({ from, to, relationType });

const relations: Relation[] = [
  ...PEOPLE.map(({ name, nickname }) => relation(nickname, "also_known_as", name)),
  ...KINDS.flatMap((topic) => thingsOf(topic).map((thing) => relation(thing, "is_a", topic["kind"]))),
  ...TIES.flatMap(({ type, distance }) => PEOPLE.map((person) => relation(person["name"], type, tiedTo(person, distance)["name"]))),
  ...FACTS.map(({ name, person }) => relation(name, "about", person["name"])),
];

/** Fifty facts, evenly over all of them, other ones for each kind. */
const choose = (facts: readonly Fact[], shift: number): Fact[] =>
  Array.from({ length: PER_KIND }, (_, at) => facts[Math.floor(((at + shift / 6) * facts.length) / PER_KIND) % facts.length]).filter(
    (fact) => fact !== undefined,
  );

const questionsOf = (kind: QuestionKind, facts: readonly Fact[], toText: (fact: Fact, at: number) => string): Question[] =>
  facts.map((fact, at) => ({ kind, text: toText(fact, at), answer: fact.name }));

const questions: Question[] = [
  ...questionsOf("same words", choose(FACTS, 0), ({ topic, person }, at) => {
    const sentences = topic["same words"]?.split(" | ") ?? [];
    return fill(sentences[at % sentences.length], person);
  }),
  ...questionsOf("inflected", choose(FACTS, 1), ({ topic, person }) => fill(topic["inflected"], person)),
  // Sixteen by kinds of things and sixteen by nicknames, which the graph has, and eighteen in words that only the language relates.
  ...questionsOf(
    "synonym",
    choose(
      FACTS.filter(({ topic }) => topic["kind"] !== ""),
      2,
    ).slice(0, 16),
    ({ topic, person }) => fill(topic["question of the kind"], person),
  ),
  ...questionsOf("synonym", choose(FACTS, 2).slice(0, 16), ({ topic, person }) => aboutSomebody(topic, person["nickname"])),
  ...questionsOf("synonym", choose(FACTS, 3).slice(16, 34), ({ topic, person }) => fill(topic["other words"], person)),
  // On its own, or beside a word that is right.
  ...questionsOf("typing error", choose(FACTS, 4), ({ topic, person }, at) => {
    const keyword = withTypingError(fill(topic["keyword"], person), at);
    return at % 2 === 0 ? keyword : `${person["first"]} ${keyword}`;
  }),
  ...questionsOf("time", choose(FACTS, 5), ({ person: { first }, month }, at) =>
    at % 2 === 0 ? `What happened to ${first} in ${nameOfMonth(month)}?` : `${first} ${nameOfMonth(month)}`,
  ),
  // About a person that a relation names.
  ...questionsOf("several hops", choose(FACTS, 0.5), ({ topic, person }, at) => {
    const { noun, distance } = TIES[at % TIES.length] ?? { noun: "", distance: 0 };
    return aboutSomebody(topic, `the ${noun} of ${tiedTo(person, distance)["first"]}`);
  }),
];

function aboutSomebody(topic: Row, who = ""): string {
  return fill(topic["about a relation"], { who });
}

/** A letter is missing, doubled, or swapped with the next one. The first letter stays in most. */
export function withTypingError(word: string, seed: number): string {
  const errors: readonly ((at: number) => string)[] = [
    (at) => word.slice(0, at) + word.slice(at + 1),
    (at) => word.slice(0, at) + word.charAt(at) + word.slice(at),
    (at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ];
  for (let next = seed; ; next++) {
    const changed = errors[next % errors.length]?.((next * 7 + 1) % (word.length - 1)) ?? word;
    if (changed !== word) return changed;
  }
}

export const TWENTY_PEOPLE: Corpus = { entities, relations, questions };
