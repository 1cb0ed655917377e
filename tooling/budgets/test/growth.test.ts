/** Which growth is noticed, on a clock that counts the work. */
import { expect, test } from "vitest";
import { growthOf, LINEAR } from "./support/growth.ts";

const UNITS_A_MS = 10_000;

test.each([
  ["accepts", "linear", (size: number) => 100 * size, 4],
  ["detects", "quadratic", (size: number) => size * size, 16],
])("%s %s work", async (_, _kind, workOf, wanted) => {
  let done = 0;
  const { times } = await growthOf(
    (size) => ({ act: () => void (done += workOf(size)) }),
    1000,
    LINEAR,
    () => done / UNITS_A_MS,
  );
  expect(times).toBeCloseTo(wanted);
  expect(times > LINEAR).toBe(wanted > 4);
});
