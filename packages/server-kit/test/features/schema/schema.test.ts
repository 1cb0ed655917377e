// Schemas without a library, and what a failed check says.
import { expect, test } from "vitest";
import { truncate, describeIssues, fromJsonSchema } from "../../../src/features/schema/schema.ts";

test("fromJsonSchema validates by the author's own schema", async () => {
  const schema = fromJsonSchema<{ x: string }>({ type: "object" }, ({ x }) => (typeof x === "string" ? undefined : "x: expected a string"));
  const { validate, jsonSchema } = schema["~standard"];
  expect(await validate({ x: "y" })).toEqual({ value: { x: "y" } });
  expect(await validate({ x: 1 })).toEqual({ issues: [{ message: "x: expected a string" }] });
  for (const value of [null, undefined, 1, "x"]) expect(await validate(value)).toEqual({ issues: [{ message: "expected an object" }] });
  expect(jsonSchema.input({ target: "draft-2020-12" })).toEqual({ type: "object" });
});

test("writes one line with the path for each issue, ten at most", () => {
  const issues = [
    { message: "bad" },
    { message: "worse", path: ["a", 0, { key: "b" }] },
    { message: "x".repeat(1000), path: [Symbol("s")] },
  ];
  expect(describeIssues(issues)).toBe(`bad\na.0.b: worse\n${`Symbol(s): ${"x".repeat(1000)}`.slice(0, 300)}…`);
  expect(describeIssues(Array.from({ length: 12 }, (_, at) => ({ message: `${at}` }))).split("\n")).toEqual(
    [...Array(10).keys(), "… and 2 more"].map(String),
  );
});

test("clips long texts and keeps short ones", () => {
  expect(["", "abc", "abcd"].map((text) => truncate(text, 3))).toEqual(["", "abc", "abc…"]);
});
