// The token bucket that rates are held with.
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TokenBucket } from "../../src/peer/token-bucket.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const taken = (bucket: TokenBucket, tries: number): number => Array.from({ length: tries }, () => bucket.take()).filter(Boolean).length;

test("allows a second's worth at once, then as many as time brings", () => {
  const bucket = new TokenBucket(10);
  expect(taken(bucket, 100)).toBe(10);
  vi.advanceTimersByTime(99);
  expect(taken(bucket, 100)).toBe(0);
  vi.advanceTimersByTime(1);
  expect(taken(bucket, 100)).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(taken(bucket, 100)).toBe(10);
});

test("saves a second's worth and no more in a long quiet time", () => {
  const bucket = new TokenBucket(10);
  vi.advanceTimersByTime(60_000);
  expect(taken(bucket, 1000)).toBe(10);
  vi.advanceTimersByTime(60_000);
  expect(taken(bucket, 5)).toBe(5);
  vi.advanceTimersByTime(60_000);
  expect(taken(bucket, 1000)).toBe(10);
});

test("allows a call now and then at a rate below one a second", () => {
  const bucket = new TokenBucket(0.5);
  expect(taken(bucket, 10)).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(taken(bucket, 10)).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(taken(bucket, 10)).toBe(1);
});

test("allows at most the rate and a burst of one second in any period", () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 3000 }), tries: fc.integer({ min: 0, max: 30 }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 30 }), (rate, steps) => {
      const bucket = new TokenBucket(rate);
      const passed: number[] = [];
      for (const { wait, tries } of steps) {
        vi.advanceTimersByTime(wait);
        for (let count = taken(bucket, tries); count > 0; count--) passed.push(performance.now());
      }
      for (const [first, from] of passed.entries()) {
        for (let last = first; last < passed.length; last++) {
          expect(last - first + 1).toBeLessThanOrEqual(rate + ((passed[last]! - from) / 1000) * rate + 1e-6);
        }
      }
    }),
    { numRuns: process.env["OARLOCK_LONG"] === "1" ? 2000 : 30 },
  );
});
