import { describe, expect, test } from "vitest";
import type { Json } from "../src/protocol.ts";
import { publish } from "../src/features/schema/json-schema.ts";
import { choice, count, flag, object, result, schema, text, texts, z } from "../src/zod.ts";

const published = (given: Parameters<typeof publish>[0], side: "input" | "output" = "input"): unknown =>
  publish(given, side, { owner: "x", strictHosts: true });

describe("the published form of a zod/mini schema", () => {
  test("holds the kinds of argument that tools share", () => {
    const input = object({
      name: text("Its name"),
      tags: texts("Its tags"),
      all: flag("All of them"),
      limit: count("How many"),
      order: choice(["asc", "desc"], "Which way"),
    });
    expect(published(input)).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "Its name" },
        tags: { type: "array", items: { type: "string" }, description: "Its tags" },
        all: { type: "boolean", default: false, description: "All of them" },
        limit: { type: "integer", minimum: 1, description: "How many" },
        order: { type: "string", enum: ["asc", "desc"], description: "Which way" },
      },
      required: ["name", "tags", "order"],
    });
  });

  test("requires a member with a default in results only", () => {
    const both = object({ on: flag("On") });
    expect(published(both)).not.toHaveProperty("required");
    expect(published(both, "output")).toMatchObject({ required: ["on"] });
  });

  test("leaves out further members, except those of loose arguments", () => {
    const open = result({ rows: z.array(z.looseObject({ id: z.int() })), total: z.object({ n: z.int() }) });
    expect(JSON.stringify(published(open, "output"))).not.toContain("additionalProperties");
    const { additionalProperties, ...rest } = published(open) as Json;
    expect(additionalProperties).toEqual({});
    expect(JSON.stringify(rest)).not.toContain("additionalProperties");
  });

  test("closes an object that its author closed", () => {
    expect(published(schema(z.strictObject({})))).toMatchObject({ additionalProperties: false });
  });
});

test("validates values and fills in defaults by zod", async () => {
  const { validate } = object({ on: flag("On"), list: z._default(z.array(z.string()), []) })["~standard"];
  expect(await validate({})).toEqual({ value: { on: false, list: [] } });
  expect((await validate({ on: 1 })).issues).toEqual([
    expect.objectContaining({ message: "Invalid input: expected boolean, received number" }),
  ]);
});

test("refuses a type without a JSON Schema when it is published", () => {
  expect(() => published(schema(z.object({ when: z.date() })))).toThrow("Date cannot be represented");
});
