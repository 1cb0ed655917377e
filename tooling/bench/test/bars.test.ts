/** The verdicts of the bench: a bar is met, missed, or missed because of a missing figure. */
import { describe, expect, test } from "vitest";
import { barOf, judge, type Bar } from "../src/bars.ts";
import { compare, type Measured } from "../src/rounds.ts";

const most: Bar = { suite: "start", figure: "start ms", of: "ours", to: "floor", op: "<=", limit: 1.25 };

const measured = (ours: readonly number[], floor: readonly number[], figure = "start ms"): Measured => {
  const rounds = (values: readonly number[]) => values.map((value) => ({ [figure]: value }));
  return {
    name: "start",
    about: "",
    rounds: ours.length,
    seconds: 1,
    problems: [],
    raw: new Map(Object.entries({ ours: rounds(ours), floor: rounds(floor) })),
  };
};

test("takes the median of the ratios of the rounds", () => {
  const run = measured([11, 110, 12], [10, 100, 10]);
  expect(compare(run, "start ms", "ours", "floor")).toEqual({ of: 12, to: 10, ratio: 1.1, low: 1.1, high: 1.15 });
});

test("takes the ratio of the medians for growth", () => {
  const run = measured([6, 5, 5], [9, 0.5, 10], "growth MiB");
  expect(compare(run, "growth MiB", "ours", "floor").ratio).toBeCloseTo(5 / 9);
});

describe("a bar", () => {
  test.each([
    ["met at its limit", [12.5], [10], "met"],
    ["missed above it", [12.6], [10], "missed"],
    ["missed where ours could not be measured", [NaN], [10], "missed"],
    ["missed where the base could not be measured", [12], [NaN], "missed"],
  ])("is %s", (_, ours, floor, verdict) => {
    expect(judge(most, [measured(ours, floor)]).verdict).toBe(verdict);
  });

  test("is missed without a figure", () => {
    expect(judge(most, []).verdict).toBe("missed");
  });

  test("with >= is met at its limit and above", () => {
    const least = barOf("start ms >= 3.5", "start", "ours", "floor");
    expect(judge(least, [measured([35], [10])]).verdict).toBe("met");
    expect(judge(least, [measured([34], [10])]).verdict).toBe("missed");
  });

  test("without another target applies to the figure itself", () => {
    const single: Bar = { suite: "start", figure: "start ms", of: "ours", op: "<=", limit: 16 };
    expect(judge(single, [measured([16], [1])]).verdict).toBe("met");
    expect(judge(single, [measured([17], [1])]).verdict).toBe("missed");
    expect(judge(single, [measured([NaN], [1])]).verdict).toBe("missed");
  });

  test("from the command line names the expected form", () => {
    expect(() => barOf("start ms < 2", "start", "ours", "floor")).toThrow(
      "--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got start ms < 2",
    );
  });
});
