// The 300 questions of the recall benchmark: fifty of each kind, with the facts that answer them.
import type { Corpus, Question, QuestionKind } from "./corpus.ts";
import { ENTITIES, FACTS, nameOfMonth, RELATIONS, type Fact } from "./facts.ts";
import { PEOPLE, TIES } from "./people.ts";
import { firstName } from "./topics.ts";
import { withTypingError } from "./typing-errors.ts";

const PER_KIND = 50;

/** Fifty facts, evenly over all of them, other ones for each kind. */
function choose(facts: readonly Fact[], shift: number): Fact[] {
  return Array.from({ length: PER_KIND }, (_, at) => facts[Math.floor(((at + shift / 6) * facts.length) / PER_KIND) % facts.length]).filter(
    (fact) => fact !== undefined,
  );
}

const questionsOf = (kind: QuestionKind, facts: readonly Fact[], toText: (fact: Fact, at: number) => string): Question[] =>
  facts.map((fact, at) => ({ kind, text: toText(fact, at), answer: fact.name }));

const sameWords = questionsOf(
  "same words",
  choose(FACTS, 0),
  ({ topic, person }, at) => topic.same[at % topic.same.length]?.(person) ?? "",
);

const inflected = questionsOf("inflected", choose(FACTS, 1), ({ topic, person }) => topic.inflected(firstName(person)));

/** Sixteen by kinds of things and sixteen by nicknames, which the graph has, and eighteen in words that only the language relates. */
const synonyms: Question[] = [
  ...questionsOf(
    "synonym",
    choose(
      FACTS.filter(({ topic }) => topic.kind !== undefined),
      2,
    ).slice(0, 16),
    ({ topic, person }) => topic.kind?.question(firstName(person)) ?? "",
  ),
  ...questionsOf("synonym", choose(FACTS, 2).slice(0, 16), ({ topic, person }) => topic.hop(person.nickname)),
  ...questionsOf("synonym", choose(FACTS, 3).slice(16, 34), ({ topic, person }) => topic.otherWords(firstName(person))),
];

/** On its own, or beside a word that is right. */
const typingErrors = questionsOf("typing error", choose(FACTS, 4), ({ topic, person }, at) => {
  const keyword = withTypingError(topic.keyword(person), at);
  return at % 2 === 0 ? keyword : `${firstName(person)} ${keyword}`;
});

const times = questionsOf("time", choose(FACTS, 5), ({ person, month }, at) =>
  at % 2 === 0 ? `What happened to ${firstName(person)} in ${nameOfMonth(month)}?` : `${firstName(person)} ${nameOfMonth(month)}`,
);

/** About a person that a relation names. */
const hops = questionsOf("several hops", choose(FACTS, 0.5), ({ topic, person }, at) => {
  const tie = TIES[at % TIES.length];
  const other = PEOPLE[(PEOPLE.indexOf(person) + (tie?.distance ?? 0)) % PEOPLE.length];
  return topic.hop(`the ${tie?.noun} of ${other === undefined ? "" : firstName(other)}`);
});

const QUESTIONS: readonly Question[] = [...sameWords, ...inflected, ...synonyms, ...typingErrors, ...times, ...hops];

export const TWENTY_PEOPLE: Corpus = { entities: ENTITIES, relations: RELATIONS, questions: QUESTIONS };
