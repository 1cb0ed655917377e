/** The command line of the bench, and those that it starts. */
import { expect, test } from "vitest";
import { words } from "../src/command-line.ts";
import { readOptions } from "../src/options.ts";

test("splits a command line like a shell", () => {
  expect(words(`node  "a b"/c.js --x='1 2' d\\ e ""`)).toEqual(["node", "a b/c.js", "--x=1 2", "d e", ""]);
});

test.each([
  ["an unknown suite", ["begin"], "unknown suite: begin"],
  ["an unknown target", ["--target", "moon"], "unknown target: moon"],
  ["no rounds", ["start", "--rounds", "0"], "--rounds: expected a whole number above 0, got 0"],
  ["a bar that cannot be read", ["start", "--bar", "start ms < 1"], "expected 'FIGURE <= RATIO' or 'FIGURE >= RATIO', got start ms < 1"],
  ["a bar without a suite or target", ["--quick", "--bar", "start ms <= 1"], "are for suites or targets: name one"],
])("refuses %s", (_, args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence);
});
