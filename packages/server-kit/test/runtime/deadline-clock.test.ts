// The clock of all deadlines, by a clock that the test turns.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DeadlineClock } from "../../src/runtime/deadline-clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** A set of requests that notes when it is checked, and is empty after `checks` of them. */
function requests(checks = Number.POSITIVE_INFINITY) {
  const times: number[] = [];
  const started = performance.now();
  return {
    times,
    get size() {
      return times.length < checks ? 1 : 0;
    },
    expire: (now: number) => void times.push(now - started),
  };
}

test("checks deadlines four times a second", () => {
  const clock = new DeadlineClock();
  const watched = requests();
  clock.watch(watched);
  clock.watch(watched);
  vi.advanceTimersByTime(1000);
  expect(watched.times).toEqual([250, 500, 750, 1000]);
});

test("forgets an empty set, and continues for others", () => {
  const clock = new DeadlineClock();
  const [short, long] = [requests(1), requests(3)];
  clock.watch(short);
  clock.watch(long);
  vi.advanceTimersByTime(1000);
  expect([short.times, long.times]).toEqual([[250], [250, 500, 750]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("starts again with the next set, and stops on demand", () => {
  const clock = new DeadlineClock();
  clock.watch(requests(1));
  vi.advanceTimersByTime(300);
  const next = requests();
  clock.watch(next);
  vi.advanceTimersByTime(250);
  expect(next.times).toEqual([250]);
  clock.stop();
  vi.advanceTimersByTime(1000);
  expect(next.times).toEqual([250]);
  expect(vi.getTimerCount()).toBe(0);
});
