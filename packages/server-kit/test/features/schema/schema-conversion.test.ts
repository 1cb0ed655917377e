// Schemas that their libraries cannot convert to JSON Schema.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formOf } from "../../../src/features/schema/form.ts";
import { publish } from "../../../src/features/schema/json-schema.ts";
import type { Schema } from "../../../src/features/schema/schema.ts";
import { prompt, tool } from "../../../src/index.ts";
import type { Json } from "../../../src/wire/json-rpc.ts";

describe("a schema that its library cannot convert is refused with its owner's name and the remedy", () => {
  const remedy = /^tool "t": .+ cannot be (?:represented in|converted to) JSON Schema\. Describe values as JSON has them: /;
  const schemaOf = (converted: unknown): Schema => ({
    "~standard": { ...z.object({})["~standard"], jsonSchema: { input: () => converted as Json, output: () => converted as Json } },
  });

  test.each<[string, z.ZodType]>([
    ["a date", z.date()],
    ["a set", z.set(z.string())],
    ["a big integer", z.bigint()],
  ])("%s", (_title, type) => {
    const schema = z.object({ a: type });
    expect(() => publish(schema, "input", { owner: 'tool "t"', strictHosts: true })).toThrow(remedy);
    expect(() => publish(schema, "output", { owner: 'tool "t"', strictHosts: false })).toThrow(remedy);
    expect(() => tool({ name: "t", input: schema, run: () => "" })).toThrow(remedy);
    expect(() => prompt({ name: "t", args: schema, get: () => "" })).toThrow(/^prompt "t": .*JSON Schema\. Describe/);
    expect(() => formOf(schema)).toThrow(/^elicitation form: .*JSON Schema\. Describe/);
  });

  test("a transform without a type in an output", () => {
    const output = z.object({ a: z.string().transform((text) => text.length) });
    expect(() => tool({ name: "t", output, run: () => ({ a: "" }) })).toThrow(/^tool "t", output: Transforms .*\.pipe\(…\)\.$/);
  });

  test("a converter that returns no object", () => {
    for (const converted of [undefined, null, true, "x", [], Promise.resolve({ type: "object" })])
      expect(() => publish(schemaOf(converted), "input", { owner: 'tool "t"', strictHosts: true })).toThrow(
        'tool "t": the schema must describe an object',
      );
  });
});
