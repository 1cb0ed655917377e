/** Detection of growth, on numbers. */
import { courseOf } from "@oarlock-tooling/test-support/growth";
import { expect, test } from "vitest";
import { BOUNDS, leftovers } from "../src/growth.ts";
import type { Sample } from "../src/sample.ts";

const MIB = 1024 * 1024;

const still: Sample = {
  ...{ rss: 80 * MIB, heap: 20 * MIB, fds: 20, threads: 7, children: 0, handles: 4, timers: 1, sessions: 0 },
  inside: { heap: 20 * MIB, resources: { PipeWrap: 3, Timeout: 1 }, counts: { sessions: 0 } },
};

test("reports a steady rise, not a fluctuation", () => {
  const grows = (heap: (at: number) => number): boolean =>
    courseOf(
      Array.from({ length: 90 }, (_, at) => heap(at)),
      BOUNDS.heap,
    ).grows;
  expect(grows((at) => 20 * MIB + at * 0.06 * MIB)).toBe(true);
  expect(grows((at) => (20 + (at % 7)) * MIB)).toBe(false);
  // Warmth is of the first third.
  expect(grows((at) => Math.min(20 + at, 50) * MIB)).toBe(false);
});

test("reports one resource more, not one less", () => {
  const after: Sample = { ...still, fds: 21, inside: { ...still.inside, resources: { PipeWrap: 2, Timeout: 1, TCPSocketWrap: 1 } } };
  expect(leftovers(still, after)).toEqual(["fds 20 → 21", "TCPSocketWrap 0 → 1"]);
  expect(leftovers(after, still)).toEqual(["PipeWrap 2 → 3"]);
});
