// Progress that rises and does not flood.
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProgressThrottle } from "../../../src/runtime/request/progress.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function recordedThrottle(): { throttle: ProgressThrottle; sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  return { throttle: new ProgressThrottle((params) => void sent.push(params)), sent };
}

test("passes a step on unchanged", () => {
  const { throttle, sent } = recordedThrottle();
  throttle.step(0.5, undefined, undefined);
  throttle.step(1, 2, "half");
  throttle.step(2, undefined, "");
  expect(sent).toEqual([{ progress: 0.5 }, { progress: 1, total: 2, message: "half" }, { progress: 2, message: "" }]);
});

describe("PROG-04 rising progress", () => {
  test("leaves out steps that do not rise", () => {
    const { throttle, sent } = recordedThrottle();
    for (const step of [-5, -5, -6, 0, 0, -1, 3, 2.9, 3.1]) throttle.step(step, undefined, undefined);
    expect(sent.map(({ progress }) => progress)).toEqual([-5, 0, 3, 3.1]);
  });

  test("sends strictly rising, finite and few steps of any sequence", () => {
    const step = fc.record({
      wait: fc.constantFrom(0, 0, 0, 1, 50, 100, 500),
      done: fc.double(),
      total: fc.option(fc.double(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { throttle, sent } = recordedThrottle();
        let elapsed = 0;
        for (const { wait, done, total } of steps) {
          vi.advanceTimersByTime(wait);
          elapsed += wait;
          throttle.step(done, total, undefined);
        }
        const amounts = sent.map(({ progress }) => Number(progress));
        for (const [at, progress] of amounts.entries()) if (at > 0) expect(progress).toBeGreaterThan(amounts[at - 1]!);
        expect(JSON.parse(JSON.stringify(sent))).toEqual(
          sent.map((one) => ({
            ...one,
            progress: Number(one["progress"]) + 0,
            ...("total" in one && { total: Number(one["total"]) + 0 }),
          })),
        );
        expect(sent.length).toBeLessThanOrEqual(20 + elapsed / 100 + 1);
      }),
    );
  });
});

test("PROG-09 sends at most ten steps a second after a burst, the latest ones", () => {
  const { throttle, sent } = recordedThrottle();
  for (let at = 1; at <= 2000; at++) {
    throttle.step(at, undefined, undefined);
    vi.advanceTimersByTime(1);
  }
  const amounts = sent.map(({ progress }) => Number(progress));
  expect(amounts.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect(amounts.length).toBeGreaterThanOrEqual(20 + 18);
  expect(amounts.length).toBeLessThanOrEqual(20 + 20);
});

test("PROG-05 drops a step that comes too soon, without a timer", () => {
  const { throttle, sent } = recordedThrottle();
  for (let at = 1; at <= 30; at++) throttle.step(at, undefined, undefined);
  expect(sent).toHaveLength(20);
  expect(vi.getTimerCount()).toBe(0);
});
