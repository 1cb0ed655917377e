// The judge of pnpm bench:recall --facts, and what it asks.
import { expect, test } from "vitest";
import { askFloor } from "../src/recall/replies/ask-facts.ts";
import { hasAnswer, judgeReply, recallAt } from "../src/recall/replies/fact-score.ts";
import { paraphrases, publicSets } from "../src/recall/replies/fact-sets.ts";
import { factsInText } from "../src/recall/replies/facts-in-text.ts";
import { factTable } from "../src/recall/replies/fact-table.ts";

const FACTS = Array.from({ length: 12 }, (_, at) => `Fact number ${at + 1} is about ${at === 10 ? 'the "blue" whale' : "plankton"}.`);
const QUESTION = { text: "Which animal?", answers: ["blue whale"] };
const LONG = "Ada moved to Porto in the spring of 2021 because of the light, and stayed there for nine years.";

const FORMS: readonly (readonly [string, (facts: readonly string[]) => string])[] = [
  ["lines", (facts) => facts.join("\n")],
  ["JSON", (facts) => JSON.stringify({ entities: [{ name: "Sea", observations: facts }] })],
  ["indented JSON after a list", (facts) => `Best:\n- ${facts[0]}\n${JSON.stringify({ facts }, undefined, 2)}`],
];

test.each(FORMS)("finds an answer in the eleventh fact of %s at rank 11, not among the first ten", (_, format) => {
  const judged = judgeReply(QUESTION, format(FACTS), FACTS);
  expect(judged.rank).toBe(11);
  expect([recallAt(10, [judged]), recallAt(11, [judged])]).toEqual([0, 1]);
});

test.each(FORMS)("counts the facts of %s by their order in the text, not in the memory", (_, format) => {
  expect(judgeReply(QUESTION, format(FACTS.toReversed()), FACTS).rank).toBe(2);
});

test("counts a fact that is repeated once, and none within a longer one", () => {
  const text = "She runs.\nShe runs. Every day she runs.\nShe runs. Every day she runs.\nShe swims.";
  const facts = ["She swims.", "She runs.", "She runs. Every day she runs.", "She reads."];
  expect(factsInText(text, facts)).toEqual(["She runs.", "She runs. Every day she runs.", "She swims."]);
});

test("counts a fact that is cut as far as it is visible", () => {
  const text = `- ${LONG.slice(0, 60)}…\n- She swims.`;
  expect(factsInText(text, ["She swims.", LONG])).toEqual([LONG.slice(0, 60), "She swims."]);
  expect(judgeReply({ text: "Where?", answers: ["Porto"] }, text, [LONG]).rank).toBe(1);
  expect(judgeReply({ text: "How long?", answers: ["nine years"] }, text, [LONG]).rank).toBeUndefined();
});

test("judges a reply without a fact as empty, and counts its bytes as tokens", () => {
  expect(judgeReply(QUESTION, "Nothing: é", FACTS)).toMatchObject({ rank: undefined, isEmpty: true, tokens: 11 / 4 });
});

test.each([
  ["My reading was 138/85 mmHg.", ["138/85"], true],
  ["We meet in the State-Park.", ["beach", "state park"], true],
  ["It was 135 pounds.", ["35"], false],
  ["Seventeen of them.", ["seven"], false],
])("compares whole words of an answer with %s", (fact, answers, expected) => {
  expect(hasAnswer(fact, answers)).toBe(expected);
});

test("the public set has the same facts in three layouts", () => {
  const facts = publicSets().map(({ memories }) => memories.map(({ entities }) => entities.flatMap(({ observations }) => observations)));
  expect(facts).toEqual([facts[0], facts[0], facts[0]]);
  expect(facts[0]?.flat()).toHaveLength(1880);
  const entities = publicSets().map(({ memories }) => memories.reduce((sum, memory) => sum + memory.entities.length, 0));
  expect(entities).toEqual([37, 5, 1880]);
});

test("143 of 155 public questions have their answer in a fact word for word", () => {
  const [{ memories } = { memories: [] }] = publicSets();
  const answered = memories.flatMap(({ entities, questions }) =>
    questions.map(({ answers }) => entities.some(({ observations }) => observations.some((fact) => hasAnswer(fact, answers)))),
  );
  expect([answered.length, answered.filter(Boolean).length]).toEqual([155, 143]);
});

test("each paraphrase asks for one of forty facts in other words", () => {
  const [memory] = paraphrases().memories;
  const facts = memory?.entities.flatMap(({ observations }) => observations) ?? [];
  expect(new Set(facts).size).toBe(40);
  for (const { text, answers } of memory?.questions ?? []) {
    expect(facts).toContain(answers[0]);
    expect(text).toMatch(/^\p{Lu}.*\?$/u);
  }
  expect(memory?.questions).toHaveLength(40);
});

test("the floor is the best twenty lines of full-text search", () => {
  const entities = [{ name: "Sea", entityType: "place", observations: FACTS }];
  const replies = askFloor({ name: "sea", memories: [{ entities, questions: [{ text: "A whale in blue?", answers: ["blue whale"] }] }] });
  expect(replies).toMatchObject([{ rank: 1, isEmpty: false }]);
  expect(factTable([{ set: "sea", server: "floor", replies }])).toContain("| sea | floor | 1.000 | 1.000 | 1.000 | 0 | ");
});
