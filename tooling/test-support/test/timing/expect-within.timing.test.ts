import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { expectWithin } from "../../src/timing/expect-within.ts";

/** Takes so long each time, in milliseconds. */
const taking = (...times: number[]) => {
  let done = 0;
  return { act: () => sleep(times[done++]).then(() => undefined), done: () => done };
};

test("runs fast work once and repeats slow work", async () => {
  const fast = taking(0);
  await expectWithin(10_000, fast.act);
  expect(fast.done()).toBe(1);
  const paused = taking(300, 0);
  await expectWithin(250, paused.act);
  expect(paused.done()).toBe(2);
});

test("fails for work that is always slow, or fails once", async () => {
  await expect(expectWithin(20, taking(60, 60, 60).act)).rejects.toThrow(/expected one attempt within 20 ms/);
  await expect(expectWithin(10_000, () => Promise.reject(new Error("wrong")))).rejects.toThrow("wrong");
});
