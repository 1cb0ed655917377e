// Similarities without the mean direction of all vectors.
import { expect, test } from "vitest";
import { centeredOn, cosineWithoutMean, meanDirectionOf, toInt8 } from "../../../src/addons/embeddings/vectors/quantization.ts";

/** Both point nearly where all vectors point, and differ in what is left. */
const vectorOf = (...numbers: number[]): Int8Array => toInt8(Float32Array.from(numbers)) ?? new Int8Array();
const TEA = vectorOf(10, 1, 0);
const BOAT = vectorOf(10, 0, 1);

test("tells texts apart that a model puts into nearly the same direction", () => {
  const mean = meanDirectionOf([TEA, BOAT]);
  const tea = centeredOn(mean, TEA);
  expect(cosineWithoutMean(tea, mean, BOAT)).toBeCloseTo(-1, 1);
  expect(cosineWithoutMean(tea, mean, vectorOf(20, 2, 0))).toBeCloseTo(1, 1);
});

test("gives a vector without a direction of its own no similarity", () => {
  const mean = meanDirectionOf([TEA]);
  expect(cosineWithoutMean(centeredOn(mean, TEA), mean, BOAT)).toBeCloseTo(0, 1);
});
