/** Tests the values that each type of flag accepts and refuses. */
import { describe, expect, test } from "vitest";
import type { Flag } from "../src/flags.ts";
import { readValue, splitCommas } from "../src/flag-value.ts";

const count: Flag = { type: "count", value: "N", help: "" };
const rate: Flag = { type: "rate", value: "N/s", help: "" };
const boolean: Flag = { type: "boolean", help: "" };
const choice: Flag = { type: "choice", choices: ["a", "b"], help: "" };

const taken: [flag: Flag, text: string, value: unknown][] = [
  [count, "1", 1],
  [count, "0120000", 120_000],
  [count, "9007199254740991", Number.MAX_SAFE_INTEGER],
  [rate, "20/s", 20],
  [rate, "0.5/s", 0.5],
  [boolean, "1", true],
  [boolean, "True", true],
  [boolean, "0", false],
  [boolean, "false", false],
  [choice, "b", "b"],
];

test.each(taken)("reads for %j %j as %j", (flag, text, value) => {
  expect(readValue(flag, text, "--it")).toBe(value);
});

describe.each([
  [
    count,
    "a whole number above 0",
    ["0", "00", "-1", "-0", "+1", "1.5", "1e3", "0x10", "1_000", " 7", "7 ", "", "ten", "NaN", "Infinity", "9007199254740993"],
  ],
  [rate, "a number above 0 and /s, as in 20/s", ["5", "0/s", "0.0/s", "-1/s", "/s", "x/s", "5/m", "5 /s", "1e3/s", "", "5/s/s"]],
  [boolean, "1, true, 0 or false", ["", "yes", "2", "tru"]],
  [choice, "one of a, b", ["", "A", "a,b", "c"]],
] as [Flag, string, string[]][])("%j refuses", (flag, expected, texts) => {
  test.each(texts)("%j", (text) => {
    const message = `Invalid value for --it: expected ${expected}, got ${JSON.stringify(text)}. Correct it or leave it out.`;
    expect(() => readValue(flag, text, "--it")).toThrow(expect.objectContaining({ message, code: 2 }));
  });
});

test("quotes the value in an error on one line, and shortens it", () => {
  const refused = (text: string) => () => readValue(count, text, "--it");
  expect(refused("a\nb")).toThrow('got "a\\nb". Correct it');
  expect(refused("x".repeat(1e6))).toThrow(`got "${"x".repeat(100)}…". Correct it`);
});

test.each([
  ["a", ["a"]],
  ["a, b ,c", ["a", "b", "c"]],
  ["*.{md,txt},b", ["*.{md,txt}", "b"]],
  ["{a,{b,c}},d", ["{a,{b,c}}", "d"]],
  ["},a", ["}", "a"]],
  ["", [""]],
  ["a,", ["a", ""]],
])("splits %j at commas into %j", (text, items) => {
  expect(splitCommas(text)).toEqual(items);
});
