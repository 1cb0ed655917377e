import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NotificationThrottle } from "../src/index.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Marks changes every 5 ms for so long; returns the times of the notifications, in milliseconds from the first change. */
function notificationsOf(ms: number): number[] {
  const start = performance.now();
  const times: number[] = [];
  const throttle = new NotificationThrottle(() => times.push(performance.now() - start));
  for (let at = 0; at <= ms; at += 5) {
    throttle.changed();
    vi.advanceTimersByTime(5);
  }
  vi.runAllTimers();
  return times;
}

test("bundles many changes into a few notifications with growing pauses, the last change included", () => {
  // A change comes at most 5 ms after each notification.
  expect(notificationsOf(900)).toEqual([60, 180, 420, 900, 1860]);
});

test("notifies at most once a second however long the changes go on", () => {
  const times = notificationsOf(10_000);
  expect(times.slice(-3).map((time, index, last) => time - (last[index - 1] ?? time))).toEqual([0, 1000, 1000]);
});

test("notifies the first change after a quiet time without delay", () => {
  const start = performance.now();
  const times: number[] = [];
  const throttle = new NotificationThrottle(() => times.push(performance.now() - start));
  for (const quietMs of [0, 2000, 2001]) {
    vi.advanceTimersByTime(quietMs);
    throttle.changed();
    vi.runAllTimers();
  }
  expect(times).toEqual([60, 60 + 2000 + 120, 60 + 2000 + 120 + 2001 + 60]);
});

test("notifies nothing after cancel", () => {
  const notify = vi.fn<() => void>();
  const throttle = new NotificationThrottle(notify);
  throttle.changed();
  throttle.cancel();
  vi.runAllTimers();
  expect(notify).not.toHaveBeenCalled();
  throttle.changed();
  vi.runAllTimers();
  expect(notify).toHaveBeenCalledOnce();
});
