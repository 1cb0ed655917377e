// What authors pass in place of a schema, and schemas that are functions.
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { formOf } from "../../../src/features/schema/form.ts";
import { checkedSchema } from "../../../src/features/schema/checked-schema.ts";
import type { Schema } from "../../../src/features/schema/schema.ts";
import { defineServer, prompt, tool, type RuntimeOptions, type ToolSpec } from "../../../src/index.ts";
import { talk } from "../../support/talk.ts";

/** As the schemas of arktype: a function with the interface of a schema. */
const callable = <S extends Schema>(schema: S): S =>
  Object.assign(() => "never called", { "~standard": schema["~standard"] }) as unknown as S;
const message = z.object({ message: z.string() });

describe("a schema that is a function", () => {
  test("is used as a schema in every place", async () => {
    const echo = tool({ name: "echo", input: callable(message), output: callable(message), run: (input) => input });
    const greet = prompt({ name: "greet", args: callable(message), get: (args) => args.message });
    await using client = await talk(defineServer({ name: "s", version: "1", tools: [echo], prompts: [greet] }));
    expect(await client.result("tools/list")).toMatchObject({ tools: [{ inputSchema: { properties: { message: { type: "string" } } } }] });
    expect(await client.result("tools/call", { name: "echo", arguments: { message: "a" } })).toMatchObject({
      structuredContent: { message: "a" },
    });
    expect(await client.result("prompts/list")).toMatchObject({ prompts: [{ arguments: [{ name: "message" }] }] });
    expect(formOf(callable(message))).toMatchObject({ properties: { message: { type: "string" } } });
  });

  test("is checked when the tool is defined", () => {
    const list = callable(z.array(z.string())) as unknown as Schema;
    expect(() => tool({ name: "t", input: list, run: () => "" })).toThrow('tool "t": ');
  });
});

const withoutConversion = { "~standard": { version: 1, vendor: "valibot", validate: () => ({ value: 1 }) } };
const zod3 = { _def: { typeName: "ZodObject" }, safeParse: () => undefined };
const WRONG: [title: string, value: unknown, remedy: RegExp][] = [
  ["null", null, /got null\. .*z\.object/],
  ["text", "string", /got string\. .*z\.object/],
  ["a raw shape", { message: z.string() }, /object of schemas\. Wrap it: z\.object/],
  ["a raw shape of zod 3", { message: zod3 }, /Wrap it: z\.object/],
  ["a raw shape of functions", { message: callable(message) }, /Wrap it: z\.object/],
  ["zod 3", zod3, /zod 4\.2/],
  ["a schema without conversion", withoutConversion, /schema of valibot .* toStandardJsonSchema/],
  [
    "a conversion without validation",
    { "~standard": { vendor: "effect", jsonSchema: {} } },
    /schema of effect has no validate .*fromJsonSchema/,
  ],
  ["a schema of another library", { "~standard": { vendor: "own", validate: () => ({ value: 1 }) } }, /schema of own .*fromJsonSchema/],
  ["zod/mini", mini.object({ message: mini.string() }), /schema of zod .* schema\(\)/],
  ["a plain JSON Schema", { type: "object", properties: {} }, /plain JSON Schema\. Pass fromJsonSchema/],
  ["an empty object", {}, /z\.object/],
];

describe.each(WRONG)("%s in place of a schema", (_title, value, remedy) => {
  test("is refused with the name and the remedy", () => {
    const define = (spec: object) => (): unknown => tool({ name: "t", run: () => "", ...spec } as ToolSpec<Schema, never>);
    expect(define({ input: value })).toThrow(/^tool "t": /);
    expect(define({ input: value })).toThrow(remedy);
    expect(define({ output: value })).toThrow(/^tool "t", output: /);
    expect(() => prompt({ name: "p", args: value as Schema, get: () => "" })).toThrow(remedy);
    expect(() => formOf(value as Schema)).toThrow(remedy);
    expect(() => checkedSchema(value as Schema, "x")).toThrow(remedy);
  });
});

test("leaves the entry of a bad lazy schema out and names it in the log", async () => {
  const log = vi.fn<NonNullable<RuntimeOptions["log"]>>();
  const fails = (): never => {
    throw new Error("no such file");
  };
  const tools = [
    tool({ name: "good", run: () => "fine" }),
    tool({ name: "throws", input: fails, run: () => "" }),
    tool({ name: "shape", input: () => ({ a: z.string() }) as unknown as Schema, run: () => "" }),
    tool({ name: "validator", input: (() => true) as unknown as () => Schema, run: () => "" }),
    tool({ name: "list", output: () => z.array(z.string()) as unknown as Schema, run: () => "" as never }),
    tool({ name: "last", run: () => "fine" }),
  ];
  const prompts = [prompt({ name: "bad", args: fails, get: () => "" }), prompt({ name: "fine", get: () => "" })];
  await using client = await talk(defineServer({ name: "s", version: "1", tools, prompts }), { log });
  const { tools: listed } = (await client.result("tools/list")) as { tools: { name: string }[] };
  expect(listed.map(({ name }) => name)).toEqual(["good", "last"]);
  expect(await client.result("prompts/list")).toEqual({ prompts: [{ name: "fine" }] });
  const lines = log.mock.calls.map(([level, data]) => `${level} ${String(data).split("\n")[0]}`);
  expect(lines).toEqual([
    expect.stringMatching(
      /^error "throws" is left out of tools\/list: .*tool "throws": the function that makes the schema failed: no such file/,
    ),
    expect.stringMatching(/^error "shape" .*Wrap it/),
    expect.stringMatching(/^error "validator" .*tool "validator", made by a function: expected a schema, got boolean/),
    expect.stringMatching(/^error "list" .*must describe an object/),
    expect.stringMatching(/^error "bad" is left out of prompts\/list/),
  ]);
  expect(await client.replyText("good")).toBe("fine");
  expect(await client.result("tools/call", { name: "throws" })).toMatchObject({ isError: true });
});
