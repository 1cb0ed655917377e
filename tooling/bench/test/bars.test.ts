/** The verdicts of the bench: what counts as met, and that nothing unmeasured does. */
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

test("a ratio is the median of the rounds' own, so that a slow round falls on both", () => {
  const run = measured([11, 110, 12], [10, 100, 10]);
  expect(compare(run, "start ms", "ours", "floor")).toEqual({ of: 12, to: 10, ratio: 1.1, low: 1.1, high: 1.15 });
});

test("of growth it is that of the medians, as one round may have next to none", () => {
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

  test("is missed where nothing was measured", () => {
    expect(judge(most, []).verdict).toBe("missed");
  });

  test("of more is met from its limit upwards", () => {
    const least = barOf("start ms >= 3.5", "start", "ours", "floor");
    expect(judge(least, [measured([35], [10])]).verdict).toBe("met");
    expect(judge(least, [measured([34], [10])]).verdict).toBe("missed");
  });

  test("without another beside it is for the figure itself", () => {
    const alone: Bar = { suite: "start", figure: "start ms", of: "ours", op: "<=", limit: 16 };
    expect(judge(alone, [measured([16], [1])]).verdict).toBe("met");
    expect(judge(alone, [measured([17], [1])]).verdict).toBe("missed");
    expect(judge(alone, [measured([NaN], [1])]).verdict).toBe("missed");
  });

  test("by hand says what it expects", () => {
    expect(() => barOf("start ms < 2", "start", "ours", "floor")).toThrow(
      "--bar: expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got start ms < 2",
    );
  });
});
