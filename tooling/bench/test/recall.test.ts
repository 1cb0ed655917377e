// The questions of the recall benchmark: as many of each kind, each with one answer, and the same with every run.
import { expect, test } from "vitest";
import { HELD_OUT } from "../src/recall/held-out.ts";
import { isRecalled, scoreOf, type Result } from "../src/recall/measure.ts";
import { QUESTION_KINDS } from "../src/recall/corpus.ts";
import { FACTS, PEOPLE, TWENTY_PEOPLE, withTypingError } from "../src/recall/twenty-people.ts";

const { questions: QUESTIONS } = TWENTY_PEOPLE;

test("has fifty questions of each kind about 200 facts and 20 people", () => {
  expect([FACTS.length, PEOPLE.length, QUESTIONS.length]).toEqual([200, 20, 300]);
  for (const kind of QUESTION_KINDS) expect(QUESTIONS.filter((question) => question.kind === kind)).toHaveLength(50);
});

test.each([
  ["about twenty people", TWENTY_PEOPLE],
  ["held out", HELD_OUT],
])("answers each question %s from the memory, and leaves no text empty", (_, { entities, relations, questions }) => {
  const names = new Set(entities.map(({ name }) => name));
  expect(names.size).toBe(entities.length);
  for (const { answer, text } of questions) {
    expect(names.has(answer), answer).toBe(true);
    expect(text).toMatch(/\w{3}/);
    expect(text).not.toContain("undefined");
  }
  for (const { from, to } of relations) expect([names.has(from), names.has(to)]).toEqual([true, true]);
});

test("gives a person one fact in a month at most", () => {
  const months = FACTS.map(({ person, month }) => `${person["name"]} ${month}`);
  expect(new Set(months).size).toBe(FACTS.length);
});

test("changes one letter for a typing error", () => {
  expect([0, 1, 2].map((seed) => withTypingError("Lisbon", seed))).toEqual(["Lsbon", "Lisbbon", "iLsbon"]);
  for (let seed = 0; seed < 60; seed++) expect(withTypingError("Lisbon", seed)).not.toBe("Lisbon");
});

test("scores the first five results, and the reciprocal rank of all", () => {
  const results = [1, 5, 6, undefined].map((rank) => ({ question: QUESTIONS[0], rank }) as Result);
  expect(results.map(isRecalled)).toEqual([true, true, false, false]);
  expect(scoreOf(results)).toEqual({ recall: 0.5, mrr: (1 + 1 / 5 + 1 / 6) / 4 });
});
