// Tools by themselves: list entry, checks, results.
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { text } from "../../../src/features/content.ts";
import type { InteractiveContext } from "../../../src/features/context.ts";
import { Registry } from "../../../src/features/registry.ts";
import { fromJsonSchema, type Schema } from "../../../src/features/schema/schema.ts";
import { callTool } from "../../../src/features/tools/tool-calls.ts";
import { tool, type ToolDefinition } from "../../../src/features/tools/tools.ts";
import { toToolFailure, type Report } from "../../../src/protocol/errors.ts";
import { isObject, type Json } from "../../../src/wire/json-rpc.ts";

const registryOf = (definition: ToolDefinition) => new Registry("tools", ({ name }: ToolDefinition) => name, [definition]);

const ctx = {} as InteractiveContext; // the tools here do not look at it
const call = (definition: ToolDefinition, args: Json = {}): unknown =>
  callTool(registryOf(definition), { name: definition.name, arguments: args }, ctx);

describe("the list entry", () => {
  test("has the given members and no others", () => {
    expect(tool({ name: "t", run: () => "" }).listing()).toEqual({
      name: "t",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
    });
    expect(
      tool({
        name: "t",
        title: "T",
        description: "d",
        hints: { readOnly: true, destructive: false },
        icons: [{ src: "https://x.example/" }],
        meta: { a: 1 },
        input: z.object({ x: z.string() }),
        output: z.object({ y: z.number() }),
        run: () => ({ y: 1 }),
      }).listing(),
    ).toEqual({
      name: "t",
      title: "T",
      description: "d",
      annotations: { readOnlyHint: true, destructiveHint: false },
      icons: [{ src: "https://x.example/" }],
      _meta: { a: 1 },
      inputSchema: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
      outputSchema: { type: "object", properties: { y: { type: "number" } }, required: ["y"] },
    });
  });

  test("is built once", () => {
    const one = tool({ name: "t", run: () => "" });
    expect(one.listing()).toBe(one.listing());
  });

  test("is refused with the tool's name for a schema that no host accepts", () => {
    expect(() => tool({ name: "t", input: z.union([z.object({}), z.object({ a: z.string() })]), run: () => "" }).listing()).toThrow(
      'tool "t"',
    );
    expect(() => tool({ name: "t", output: z.array(z.string()), run: () => [] as never }).listing()).toThrow('tool "t"');
  });

  test("accepts any schema with strictHosts: false", () => {
    const input = fromJsonSchema<Json>({ $schema: "s", type: "object", anyOf: [{ $ref: "https://x.example/" }] }, () => undefined);
    expect(tool({ name: "t", input, strictHosts: false, run: () => "" }).listing().inputSchema).toEqual({
      $schema: "s",
      type: "object",
      anyOf: [{ $ref: "https://x.example/" }],
    });
  });

  test("exposes groups and hints for a selection of tools", () => {
    expect(tool({ name: "t", run: () => "" })).toMatchObject({ toolset: "default", hints: {} });
    expect(tool({ name: "t", toolset: "remote", hints: { readOnly: true }, run: () => "" })).toMatchObject({
      toolset: "remote",
      hints: { readOnly: true },
    });
  });
});

describe("a call", () => {
  test("TOOL-26 runs with the arguments as the schema parsed them, and not with invalid ones", async () => {
    const run = vi.fn<(input: { n: number }) => string>(({ n }) => `${n}`);
    const one = tool({ name: "t", input: z.object({ n: z.string().transform(Number), more: z.string().default("x") }), run });
    expect(await call(one, { n: "7" })).toEqual({ content: [text("7")] });
    expect(run).toHaveBeenCalledExactlyOnceWith({ n: 7, more: "x" }, ctx);
    expect(() => call(one, { n: 7 })).toThrow(
      expect.objectContaining({ code: -32602, kind: "arguments", message: expect.stringContaining("n: ") }),
    );
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("TOOL-26 waits for an asynchronous schema", async () => {
    const later: Schema<Json> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: async (value) => (await Promise.resolve(), { value: value as Json }),
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    };
    expect(await call(tool({ name: "t", input: later, output: later, run: (input) => input }), { a: 1 })).toEqual({
      content: [text('{"a":1}')],
      structuredContent: { a: 1 },
    });
  });

  test("answers synchronously when nothing has to be waited for", () => {
    expect(call(tool({ name: "t", run: () => "now" }))).toEqual({ content: [text("now")] });
  });
});

test.each([
  { big: 1n },
  Object.assign(Object.create(null) as Json, {
    get self() {
      return this;
    },
  }),
])("KIT-14 names the tool whose value JSON cannot hold", async (value) => {
  const one = tool({ name: "t", output: z.looseObject({}), run: () => value });
  await expect(async () => call(one)).rejects.toThrow(/^tool "t" returned a value that JSON cannot hold: /);
});

describe("TOOL-21 TOOL-22 a declared output", () => {
  const output = z.object({ n: z.number(), more: z.string().default("d") });

  test("is checked, completed, and repeated as text", async () => {
    const value = { n: 1, more: "d" };
    expect(await call(tool({ name: "t", output, run: () => ({ n: 1, extra: true }) as { n: number } }))).toEqual({
      content: [text(JSON.stringify(value))],
      structuredContent: value,
    });
    expect(await call(tool({ name: "t", output, run: async () => ({ n: 1 }) }))).toEqual({
      content: [text(JSON.stringify(value))],
      structuredContent: value,
    });
  });

  test("may have a text of its own", async () => {
    expect(await call(tool({ name: "t", output, run: () => ({ content: "one", structured: { n: 1 } }) }))).toEqual({
      content: [text("one")],
      structuredContent: { n: 1, more: "d" },
    });
  });

  test("is not confused with the parts of a reply", () => {
    const clash = (member: string) => (): unknown =>
      tool({ name: "t", output: z.object({ content: z.string(), [member]: z.unknown() }) as never, run: () => "" as never });
    for (const member of ["structured", "isError", "_meta"])
      expect(clash(member)).toThrow(
        `tool "t", output: "content" beside "${member}" stands for the parts of a reply. Rename one of these members.`,
      );
  });

  test("may have a member content", async () => {
    const one = tool({ name: "t", output: z.object({ content: z.string() }), run: () => ({ content: "x" }) });
    expect(await call(one)).toEqual({ content: [text('{"content":"x"}')], structuredContent: { content: "x" } });
  });

  test("TOOL-15 is not required beside an error in blocks, and _meta goes along", async () => {
    const block = { ...text("no"), _meta: { "com.example/a": 1 } };
    const reply = { content: [block], isError: true, _meta: { "com.example/b": 2 } };
    expect(await call(tool({ name: "t", output, run: () => reply }))).toEqual(reply);
    const fine = tool({ name: "t", output, run: () => ({ content: [block], structured: { n: 1 }, _meta: { "com.example/b": 2 } }) });
    expect(await call(fine)).toEqual({
      content: [block],
      structuredContent: { n: 1, more: "d" },
      _meta: { "com.example/b": 2 },
    });
  });

  test("is not required of an error", async () => {
    const failed = tool({ name: "t", output, run: () => ({ content: "no", structured: {} as { n: number }, isError: true }) });
    expect(await call(failed)).toMatchObject({ content: [text("no")], isError: true });
  });

  test.each([
    { n: "x" },
    {},
    null,
    undefined,
    "text",
    [text("blocks")],
    7,
    { content: "one", structured: {} },
    { content: "one", structured: null },
    { content: [text("one")], structuredContent: { n: 1 } },
    { content: [text("one")], structuredContent: { n: 1 }, isError: false },
  ])("KIT-14 fails the tool with %j", async (value) => {
    const report = vi.fn<Report>();
    const one = tool({ name: "t", output, run: () => value as never });
    const failed = async (): Promise<unknown> => callTool(registryOf(one), { name: "t" }, ctx);
    const failure = await failed().catch((error: unknown) => toToolFailure(error, report));
    expect(failure).toEqual({ kind: "tool", code: -32603, message: expect.stringMatching(/^Internal error/) });
    const logged = String(report.mock.calls[0]?.[1]);
    expect(logged).toMatch(/tool "t" returned/);
    const isContentAlone = typeof value === "string" || Array.isArray(value);
    expect(logged.endsWith(". Rename structuredContent to structured.")).toBe(isObject(value) && "structuredContent" in value);
    expect(logged.endsWith(". For content beside the declared output, return { content, structured }.")).toBe(isContentAlone);
  });
});
