import { expect, test } from "vitest";
import { nearestNames } from "../src/index.ts";

const known = ["customers", "customer_orders", "products", "limit", "path"];

test("suggests names that differ by a few letters, nearest first", () => {
  expect(nearestNames("custmers", known)).toEqual(["customers"]);
  expect(nearestNames("Paht", known)).toEqual(["path"]);
  expect(nearestNames("limti", known)).toEqual(["limit"]);
  expect(nearestNames("customer", known)).toEqual(["customers", "customer_orders"]);
});

test("suggests nothing too different", () => {
  expect(nearestNames("weather", known)).toEqual([]);
  expect(nearestNames("x", known)).toEqual([]);
  expect(nearestNames("", known)).toEqual([]);
});

test("returns as many names as requested", () => {
  const names = ["aaa1", "aaa2", "aaa3", "aaa4", "aaa5"];
  expect(nearestNames("aaa", names)).toHaveLength(3);
  expect(nearestNames("aaa", names, 1)).toEqual(["aaa1"]);
});

test("answers quickly for very long names", () => {
  const long = "a".repeat(100_000);
  expect(nearestNames(long, [`${long}b`])).toHaveLength(1);
});
