import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { actFor, yieldToEventLoop } from "../src/index.ts";

test("runs one slice of long work in a round of the event loop, however many wait", async () => {
  const order: string[] = [];
  const slices = ["a", "b", "c"].map(async (name) => {
    await yieldToEventLoop();
    order.push(name);
  });
  for (let round = 1; round <= 3; round++) {
    await nextRound();
    order.push(`round ${round}`);
  }
  await Promise.all(slices);
  expect(order).toEqual(["a", "round 1", "b", "round 2", "c", "round 3"]);
});

test("gives people slices in turn, whatever one of them has waiting", async () => {
  const order: string[] = [];
  const work = async (person: string): Promise<void> => {
    await yieldToEventLoop();
    order.push(person);
  };
  const all = ["ada", "ada", "ada", "ben"].map(async (person) => await actFor(person, async () => await work(person)));
  await Promise.all(all);
  expect(order).toEqual(["ada", "ben", "ada", "ada"]);
});

test("rejects with the reason of an aborted signal", async () => {
  await expect(yieldToEventLoop(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
