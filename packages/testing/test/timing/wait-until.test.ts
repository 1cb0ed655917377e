import { expect, test } from "vitest";
import { waitUntil } from "@oarlock/testing";

test("returns the first accepted value", async () => {
  let reads = 0;
  expect(
    await waitUntil(
      () => ++reads,
      (count) => count === 3,
    ),
  ).toBe(3);
});

test("throws with the last value after the timeout", async () => {
  await expect(
    waitUntil(
      async () => "red",
      (color) => color === "green",
      50,
    ),
  ).rejects.toThrow('Condition not met within 50 ms; last value: "red"');
});
