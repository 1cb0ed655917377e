import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { NotificationThrottle } from "../src/index.ts";

/** Marks changes every 5 ms for as long as `ms`, and one last change, which is still due then; returns the times of the notifications, in milliseconds from the first change. */
async function notificationsOf(ms: number): Promise<number[]> {
  const start = performance.now();
  const times: number[] = [];
  const throttle = new NotificationThrottle(() => times.push(performance.now() - start));
  while (performance.now() - start < ms) {
    throttle.changed();
    await sleep(5);
  }
  throttle.changed();
  const last = times.length;
  await expect.poll(() => times.length, { timeout: 30_000 }).toBe(last + 1);
  return times;
}

test("notifies many changes a few times, with growing pauses, and the last change too", async () => {
  const times = await notificationsOf(900);
  expect(times.length).toBeLessThanOrEqual(6);
  expect(times.at(-1)).toBeGreaterThanOrEqual(900);
  expect(times[0]).toBeGreaterThanOrEqual(59);
});

test("notifies nothing after cancel", async () => {
  let calls = 0;
  const throttle = new NotificationThrottle(() => calls++);
  throttle.changed();
  throttle.cancel();
  await sleep(150);
  expect(calls).toBe(0);
  throttle.changed();
  await expect.poll(() => calls).toBe(1);
});
