// The questions of the recall benchmark: as many of each kind, each with one answer, and the same with every run.
import { expect, test } from "vitest";
import { ENTITIES, FACTS, RELATIONS } from "../src/recall/facts.ts";
import { isRecalled, scoreOf, type Result } from "../src/recall/measure.ts";
import { PEOPLE } from "../src/recall/people.ts";
import { QUESTION_KINDS, QUESTIONS } from "../src/recall/questions.ts";
import { withTypingError } from "../src/recall/typing-errors.ts";

test("there are fifty questions of each kind about 200 facts and 20 people", () => {
  expect([FACTS.length, PEOPLE.length, QUESTIONS.length]).toEqual([200, 20, 300]);
  for (const kind of QUESTION_KINDS) expect(QUESTIONS.filter((question) => question.kind === kind)).toHaveLength(50);
});

test("each question has an answer in the memory, and no text is empty", () => {
  const facts = new Map(FACTS.map((fact) => [fact.name, fact]));
  for (const { answer, text } of QUESTIONS) {
    expect(facts.has(answer)).toBe(true);
    expect(text).toMatch(/\w{3}/);
    expect(text).not.toContain("undefined");
  }
  const names = new Set(ENTITIES.map(({ name }) => name));
  expect(names.size).toBe(ENTITIES.length);
  for (const { from, to } of RELATIONS) expect([names.has(from), names.has(to)]).toEqual([true, true]);
});

test("a person has one fact in a month at most, so that a month names it", () => {
  const months = FACTS.map(({ person, month }) => `${person.name} ${month}`);
  expect(new Set(months).size).toBe(FACTS.length);
});

test("a typing error changes one letter", () => {
  expect([0, 1, 2].map((seed) => withTypingError("Lisbon", seed))).toEqual(["Lsbon", "Lisbbon", "iLsbon"]);
  for (let seed = 0; seed < 60; seed++) expect(withTypingError("Lisbon", seed)).not.toBe("Lisbon");
});

test("scores count the first five, and the reciprocal rank of all", () => {
  const results = [1, 5, 6, undefined].map((rank) => ({ question: QUESTIONS[0], rank }) as Result);
  expect(results.map(isRecalled)).toEqual([true, true, false, false]);
  expect(scoreOf(results)).toEqual({ recall: 0.5, mrr: (1 + 1 / 5 + 1 / 6) / 4 });
});
