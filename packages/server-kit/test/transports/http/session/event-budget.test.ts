// The bound of the events that all sessions keep together: who loses events, and in which order.
import { expect, test } from "vitest";
import { EventBudget } from "../../../../src/transports/http/session/event-budget.ts";

/** A session whose events have ten characters each. */
class Holder {
  eventCount = 0;
  readonly #budget: EventBudget;

  constructor(budget: EventBudget) {
    this.#budget = budget;
  }

  add(chars = 10): void {
    this.eventCount++;
    this.#budget.add(this, chars);
  }

  dropOldest(): void {
    this.eventCount--;
    this.#budget.release(10);
  }
}

const sessions = (maxChars: number) => {
  const budget = new EventBudget(maxChars);
  const [a, b, c] = [new Holder(budget), new Holder(budget), new Holder(budget)];
  return { budget, a, b, c, counts: () => [a.eventCount, b.eventCount, c.eventCount] };
};

test("keeps events up to the bound, and drops those of the longest silent session first", () => {
  const { a, b, c, counts } = sessions(50);
  for (const holder of [a, b, a, b, c]) holder.add();
  expect(counts()).toEqual([2, 2, 1]);
  c.add();
  expect(counts()).toEqual([1, 2, 2]);
  c.add();
  expect(counts()).toEqual([0, 2, 3]);
  c.add();
  expect(counts()).toEqual([0, 1, 4]);
});

test("treats a session that adds an event as no longer silent", () => {
  const { a, b, c, counts } = sessions(30);
  for (const holder of [a, b, a, c]) holder.add();
  expect(counts()).toEqual([2, 0, 1]);
});

test("keeps the newest event of a single session, however long it is", () => {
  const { a, counts } = sessions(5);
  a.add();
  expect(counts()).toEqual([1, 0, 0]);
  a.add();
  expect(counts()).toEqual([1, 0, 0]);
});

test("drops the events of a session beyond the bound for the next one", () => {
  const { a, b, counts } = sessions(5);
  a.add();
  b.add();
  expect(counts()).toEqual([0, 1, 0]);
  a.add();
  expect(counts()).toEqual([1, 0, 0]);
});

test("drops no events for a session that has ended", () => {
  const { budget, a, b, counts } = sessions(20);
  a.add();
  b.add();
  budget.remove(a);
  b.add();
  expect(counts()).toEqual([1, 1, 0]);
});
