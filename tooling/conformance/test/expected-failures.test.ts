/** The lists of expected failures, and how outcomes are judged by them. */
import { describe, expect, test } from "vitest";
import { expectedIn, wrongWith } from "../src/expected-failures.ts";

describe("expected failures", () => {
  const yaml = "# why\nserver:\n  - a # since then\n  # a word\n  - b\nclient: []\n";
  test.each([
    ["server", ["a", "b"]],
    ["client", []],
  ] as const)("reads the list of the %s", (leg, names) => expect(expectedIn(yaml, leg)).toEqual(names));

  const failed = { scenario: "a", passed: 1, failures: ["x: broken"], warnings: [] };
  test.each([
    ["an unexpected failure", failed, [], ["x: broken"]],
    ["a failure that was expected", failed, ["a"], []],
    ["an expectation that no longer holds", { ...failed, failures: [] }, ["a"], ["passes now: take it out of the expected failures"]],
    ["a success", { ...failed, failures: [] }, [], []],
  ])("%s", (_name, outcome, expected, wrong) => expect(wrongWith(outcome, expected)).toEqual(wrong));
});
