import { expect, test } from "vitest";
import * as z from "zod/mini";
import { publish } from "../src/features/json-schema.ts";
import { fromZodMini } from "../src/zod-mini.ts";

const ready = fromZodMini(z.globalRegistry);
const say = (text: string) => z.describe(text);

const SHAPES: Record<string, z.ZodMiniObject> = {
  empty: z.object({}),
  strings: z.object({ plain: z.string(), told: z.string().check(say("a name")), bound: z.string().check(z.minLength(1), z.maxLength(9)) }),
  numbers: z.object({
    any: z.number(),
    whole: z.int(),
    bound: z.int().check(z.minimum(1), z.maximum(1000), say("how many")),
    part: z.number().check(z.minimum(0)),
  }),
  choices: z.object({ on: z.boolean(), one: z.enum(["a", "b"]).check(say("which")), fixed: z.literal("x") }),
  lists: z.object({ names: z.array(z.string()).check(z.minLength(1), z.maxLength(5), say("names")), deep: z.array(z.array(z.int())) }),
  optional: z.object({
    a: z.optional(z.string()),
    b: z.optional(z.int().check(z.minimum(1))).check(say("said outside")),
    c: z.optional(z.string().check(say("said inside"))),
  }),
  defaults: z.object({
    on: z._default(z.boolean(), false),
    list: z._default(z.array(z.string()), []).check(say("list")),
    way: z._default(z.enum(["x", "y"]), "x"),
  }),
  nested: z.object({
    edits: z.array(z.object({ from: z.string(), all: z._default(z.boolean(), false), most: z.optional(z.int()) })),
    total: z.object({ n: z.int() }),
  }),
  open: z.object({ blocks: z.array(z.looseObject({ type: z.string() })) }),
};

// What the kit publishes is what counts: its door takes off dialect lines, safe-integer bounds and the like from both.
for (const [name, schema] of Object.entries(SHAPES)) {
  for (const side of ["input", "output"] as const) {
    test(`zod/mini ${name}, ${side}: the same as zod's own converter`, () => {
      const options = { owner: name, strictHosts: true };
      const theirs = {
        "~standard": {
          ...schema["~standard"],
          jsonSchema: { input: () => z.toJSONSchema(schema, { io: "input" }), output: () => z.toJSONSchema(schema, { io: "output" }) },
        },
      };
      const expected: unknown = JSON.parse(
        JSON.stringify(publish(theirs as never, side, options))
          .replaceAll(',"additionalProperties":{}', "")
          .replaceAll(',"additionalProperties":false', ""),
      );
      expect(publish(ready(schema), side, options)).toEqual(expected);
    });
  }
}

test("zod/mini checks values as zod does", async () => {
  const { validate } = ready(SHAPES["defaults"] as z.ZodMiniObject)["~standard"];
  expect(await validate({})).toEqual({ value: { on: false, list: [], way: "x" } });
  expect((await validate({ on: 1 })).issues).toHaveLength(1);
});

test("a kind that has no JSON Schema here is refused by name", () => {
  expect(() => publish(ready(z.object({ when: z.date() })), "input", { owner: "x", strictHosts: true })).toThrow('"date"');
});
