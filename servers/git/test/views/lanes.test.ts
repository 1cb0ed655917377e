// The lanes of the commit graph.
import { expect, test } from "vitest";
import { LaneLayout, type Node } from "../../views/history/lanes.ts";

/** `a: b c` is a commit with two parents. */
const commits = (...lines: string[]): Node[] =>
  lines.map((line) => {
    const [hash = "", parents = ""] = line.split(": ");
    return { hash, parents: parents === "" ? [] : parents.split(" ") };
  });

const lanes = (...lines: string[]): number[] => new LaneLayout().add(commits(...lines)).map(({ lane }) => lane);

test("draws a history without branches in one lane", () => {
  expect(lanes("c: b", "b: a", "a")).toEqual([0, 0, 0]);
});

test("gives a merged branch its own lane until it joins", () => {
  const rows = new LaneLayout().add(commits("m: b t", "b: a", "t: a", "a: z", "z"));
  expect(rows.map(({ lane }) => lane)).toEqual([0, 0, 1, 0, 0]);
  expect(rows[0]?.edges).toEqual([
    { from: 0, to: 0, lane: 0 },
    { from: 0, to: 1, lane: 1 },
  ]);
  expect(rows[2]?.edges).toContainEqual({ from: 1, to: 0, lane: 1 });
});

test("reuses a free lane", () => {
  expect(lanes("m: b t", "t: b", "b: n s", "s: n", "n")).toEqual([0, 1, 0, 1, 0]);
});

test("continues the lanes over pages", () => {
  const layout = new LaneLayout();
  layout.add(commits("m: b t", "b: a"));
  expect(layout.add(commits("t: a", "a")).map(({ lane }) => lane)).toEqual([1, 0]);
});

test("begins a lane for the tip of each branch", () => {
  expect(lanes("x: a", "y: a", "a")).toEqual([0, 1, 0]);
});
