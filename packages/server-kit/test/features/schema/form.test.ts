// A question's schema as a form.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formOf } from "../../../src/features/schema/form.ts";
import { fromJsonSchema } from "../../../src/features/schema/schema.ts";
import type { Json } from "../../../src/wire/json-rpc.ts";

const raw = (properties: Json, more: Json = {}): Json => formOf(fromJsonSchema({ type: "object", properties, ...more }, () => undefined));
const field = (schema: Json): unknown => (raw({ a: schema })["properties"] as Json)["a"];

describe("ELIC-08 ELIC-09 ELIC-11 fields", () => {
  test.each<Json>([
    { type: "string", title: "A", description: "d", minLength: 1, maxLength: 2, default: "x" },
    ...["email", "uri", "date", "date-time"].map((format) => ({ type: "string", format })),
    { type: "string", enum: ["x", "y"], default: "x" },
    { type: "string", oneOf: [{ const: "x", title: "X" }] },
    { type: "number", minimum: 0, maximum: 1, default: 0.5 },
    { type: "integer", minimum: 0 },
    { type: "boolean", default: false },
    { type: "array", items: { type: "string", enum: ["x"] }, minItems: 1, maxItems: 2, default: ["x"] },
    { type: "array", items: { anyOf: [{ const: "x", title: "X" }] } },
  ])("%j stays", (schema) => {
    expect(field(schema)).toEqual(schema);
  });

  test.each<[Json, Json]>([
    [{ type: "string", format: "uuid", pattern: "^x" }, { type: "string" }],
    [
      { type: "string", format: "email", pattern: "^x" },
      { type: "string", format: "email" },
    ],
    [{ type: "integer", exclusiveMinimum: 0, multipleOf: 2 }, { type: "integer" }],
    [{ type: "string", contentEncoding: "base64", examples: ["x"], "x-own": 1 }, { type: "string" }],
    [
      { type: "array", items: { anyOf: [{ type: "string", const: "x" }, { const: "y" }] } },
      { type: "array", items: { type: "string", enum: ["x", "y"] } },
    ],
    [
      { type: "array", items: { oneOf: [{ const: "x", title: "X", description: "d" }, { const: "y" }] } },
      {
        type: "array",
        items: {
          anyOf: [
            { const: "x", title: "X" },
            { const: "y", title: "y" },
          ],
        },
      },
    ],
    [
      { type: "array", items: { enum: ["x"], description: "d" } },
      { type: "array", items: { type: "string", enum: ["x"] } },
    ],
    [
      { type: "string", oneOf: [{ const: "x" }] },
      { type: "string", enum: ["x"] },
    ],
    [
      { title: "T", anyOf: [{ type: "string", const: "x", title: "X" }] },
      { type: "string", title: "T", oneOf: [{ const: "x", title: "X" }] },
    ],
    [
      { anyOf: [{ const: "x" }, { const: "y" }], default: "y" },
      { type: "string", enum: ["x", "y"], default: "y" },
    ],
    [{ oneOf: [{ const: "x" }] }, { type: "string", enum: ["x"] }],
    [{ const: "x" }, { type: "string", enum: ["x"] }],
    [
      { type: "string", const: "x", title: "T" },
      { type: "string", enum: ["x"], title: "T" },
    ],
    [{ type: "boolean", const: true }, { type: "boolean" }],
  ])("%j keeps the members that forms have", (schema, kept) => {
    expect(field(schema)).toEqual(kept);
  });

  test.each<Json>([
    {},
    { type: "object", properties: {} },
    { type: "null" },
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { const: 1 },
    { type: "number", const: 1 },
    { type: "integer", enum: [1, 2] },
    { type: "number", oneOf: [{ const: 1 }] },
    { type: "number", anyOf: [{ const: 1 }] },
    { anyOf: [{ const: "x" }, { const: 1 }] },
    { type: "array" },
    { type: "array", items: { type: "string" } },
    { type: "array", items: { type: "number", enum: [1, 2] } },
    { type: "array", items: { anyOf: [{ const: 1 }, { const: 2 }] } },
    { type: "string", oneOf: [{ type: "string", minLength: 1 }] },
  ])("%j is refused by its name", (schema) => {
    expect(() => field(schema)).toThrow('field "a"');
  });
});

test("are listed in the form, with the required ones, and nothing else", () => {
  expect(
    raw(
      { a: { type: "string" } },
      { required: ["a"], additionalProperties: false, title: "T", $schema: "https://json-schema.org/draft/2020-12/schema" },
    ),
  ).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
  });
  expect(raw({})).toEqual({ type: "object", properties: {} });
});

test("come from zod too", () => {
  const schema = z.strictObject({
    sure: z.boolean(),
    mail: z.email().describe("Where to"),
    when: z.iso.datetime().optional(),
    level: z.int().min(1).max(5).default(3),
  });
  expect(formOf(schema)).toEqual({
    type: "object",
    properties: {
      sure: { type: "boolean" },
      mail: { type: "string", format: "email", description: "Where to" },
      when: { type: "string", format: "date-time" },
      level: { type: "integer", minimum: 1, maximum: 5, default: 3 },
    },
    required: ["sure", "mail"],
  });
});
