/** Wrong usage of the soak command, which must not pass with a load on no server. */
import { expect, test } from "vitest";
import { readOptions } from "../src/options.ts";

test.each([
  [["--only", "sqlight"], '--only: no server has "sqlight" in its name'],
  [["--only", "git", "--only", "sqlight"], '--only: no server has "sqlight" in its name'],
  [["--minutes", "soon"], "--minutes: expected a number above 0"],
  [["--shrot"], "Unknown option '--shrot'"],
])("refuses %j", (args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence);
});

test("chooses the servers with a word in their names", () => {
  const { targets, ...others } = readOptions(["--short", "--only", "git"]);
  expect(targets.map(({ name }) => name)).toEqual(["git stdio", "git http"]);
  expect(others).toEqual({ short: true, minutes: 30, json: undefined });
});
