import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { formDefaults, formError } from "../../src/client-requests/form-answer.ts";

const titled = {
  oneOf: [
    { const: "r", title: "Red" },
    { const: "g", title: "Green" },
  ],
  type: "string",
};
const many = { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2 };
const manyTitled = { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } };

test.each<[string, Json, unknown, string | undefined]>([
  ["text", { type: "string" }, "x", undefined],
  ["no text", { type: "string" }, 1, "f: expected text"],
  ["too short, in characters", { type: "string", minLength: 2 }, "🙂", "f: expected at least 2 characters"],
  ["long enough", { type: "string", minLength: 1, maxLength: 1 }, "🙂", undefined],
  ["too long", { type: "string", maxLength: 2 }, "abc", "f: expected at most 2 characters"],
  ["a choice", { type: "string", enum: ["a", "b"] }, "b", undefined],
  ["no choice", { type: "string", enum: ["a", "b"] }, "c", "f: expected one of a, b"],
  ["a titled choice", titled, "r", undefined],
  ["the title of a choice", titled, "Red", "f: expected one of r, g"],
  ["a number", { type: "number" }, 0.5, undefined],
  ["infinity", { type: "number" }, Infinity, "f: expected a number"],
  ["a fraction", { type: "integer" }, 0.5, "f: expected a whole number"],
  ["too little", { type: "integer", minimum: 1 }, 0, "f: expected at least 1"],
  ["too much", { type: "number", maximum: 1 }, 1.5, "f: expected at most 1"],
  ["a boolean", { type: "boolean" }, false, undefined],
  ["no boolean", { type: "boolean" }, "false", "f: expected true or false"],
  ["ELIC-19: a list of strings", many, ["a", "c"], undefined],
  ["no list", many, "a", "f: expected a list of strings"],
  ["a list of other things", many, [1], "f: expected a list of strings"],
  ["a stranger in the list", many, ["z"], "f: expected only a, b, c"],
  ["too few", many, [], "f: expected at least 1 choices"],
  ["too many", many, ["a", "b", "c"], "f: expected at most 2 choices"],
  ["titled choices", manyTitled, ["a"], undefined],
  ["a stranger among titled choices", manyTitled, ["A"], "f: expected only a"],
  ["ELIC-18: a field of no type takes plain values", {}, 1, undefined],
  ["ELIC-18: a field of no type takes no objects", {}, {}, "f: expected a string, a number or a boolean"],
])("ELIC-17 ELIC-41: %s", (_, field, value, wrong) => {
  expect(formError({ f: value }, { type: "object", properties: { f: field } })).toBe(wrong);
});

test("ELIC-17: requires required fields and refuses unknown ones", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  expect(formError({}, schema)).toBe("a: required, and missing");
  expect(formError({ a: "x", b: "y" }, schema)).toBe("b: not a field of the form");
  expect(formError({ constructor: "y" }, { type: "object", properties: {} })).toBe("constructor: not a field of the form");
});

test("ELIC-12: returns the default values of fields", () => {
  const properties = { a: { type: "string", default: "x" }, b: { type: "boolean", default: false }, c: { type: "number" } };
  expect(formDefaults({ type: "object", properties })).toEqual({ a: "x", b: false });
  expect(formDefaults({ type: "object" })).toEqual({});
});
