// Inferred types: from schemas and addresses. Checked by the compiler only.
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  fromJsonSchema,
  prompt,
  resource,
  template,
  tool,
  type Answer,
  type InteractiveContext,
  type Context,
  type InferInput,
  type InferOutput,
  type Json,
  type Root,
  type SampleResult,
} from "../../src/index.ts";

test("infers a tool's input from its schema, as validated", () => {
  tool({
    name: "t",
    input: z.object({
      path: z.string(),
      limit: z.int().optional(),
      mode: z.enum(["a", "b"]).default("a"),
      at: z.string().transform(Number),
    }),
    run(input, ctx) {
      expectTypeOf(input).toEqualTypeOf<{ path: string; limit?: number | undefined; mode: "a" | "b"; at: number }>();
      expectTypeOf(ctx).toEqualTypeOf<InteractiveContext>();
      return input.path;
    },
  });
  tool({
    name: "t",
    input: fromJsonSchema<{ x: string }>({ type: "object" }, () => undefined),
    run: ({ x }) => {
      expectTypeOf(x).toEqualTypeOf<string>();
      return x;
    },
  });
  tool({
    name: "t",
    run(input) {
      expectTypeOf(input).toEqualTypeOf<Json>();
      return [];
    },
  });
});

test("accepts a lazy schema", () => {
  tool({
    name: "t",
    input: () => z.object({ path: z.string() }),
    output: () => z.object({ size: z.number() }),
    run: ({ path }) => {
      expectTypeOf(path).toEqualTypeOf<string>();
      return { size: path.length };
    },
  });
});

test("infers a tool's result from its output schema", () => {
  const output = z.object({ count: z.number(), note: z.string().default("") });
  tool({ name: "t", output, run: () => ({ count: 1 }) });
  tool({ name: "t", output, run: async () => ({ count: 1, note: "x" }) });
  tool({ name: "t", output, run: () => ({ content: "one", structured: { count: 1 } }) });
  tool({ name: "t", output: z.string(), run: () => "one" });
  tool({ name: "t", output, run: () => ({ content: [{ type: "text", text: "no" }], structured: { count: 0 }, isError: true }) });
});

test("infers an answer from its client request", () => {
  tool({
    name: "t",
    async run(_input, ctx) {
      const answer = await ctx.elicit({ message: "?", schema: z.object({ sure: z.boolean(), name: z.string().default("x") }) });
      expectTypeOf(answer).toEqualTypeOf<Answer<{ sure: boolean; name: string }>>();
      if (answer.action === "accept") expectTypeOf(answer.content).toEqualTypeOf<{ sure: boolean; name: string }>();
      else expectTypeOf(answer).toEqualTypeOf<{ action: "decline" } | { action: "cancel" }>();
      expectTypeOf(await ctx.elicitUrl({ message: "?", url: "https://x.example/" })).toEqualTypeOf<Answer<undefined>>();
      expectTypeOf(await ctx.sample({ messages: [], maxTokens: 1 })).toEqualTypeOf<SampleResult>();
      expectTypeOf(await ctx.roots()).toEqualTypeOf<readonly Root[]>();
      expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
      return "";
    },
  });
});

test("infers a prompt's arguments from its schema, and completes only those", () => {
  prompt({
    name: "p",
    args: z.object({ who: z.string(), tone: z.string().optional() }),
    complete: {
      who: (typed, ctx, known) => {
        expectTypeOf(typed).toEqualTypeOf<string>();
        expectTypeOf(ctx).toEqualTypeOf<Context>();
        expectTypeOf(known).toEqualTypeOf<Readonly<Record<string, string>>>();
        return [typed];
      },
    },
    get(args) {
      expectTypeOf(args).toEqualTypeOf<{ who: string; tone?: string | undefined }>();
      return args.who;
    },
  });
});

test("infers a template's variables from its URI", () => {
  template({
    uri: "db://{db}/{+table}/schema",
    name: "schema",
    complete: { db: (typed) => [typed], table: () => [] },
    read(variables, ctx, uri) {
      expectTypeOf(variables).toEqualTypeOf<Record<"db" | "table", string>>();
      expectTypeOf(ctx).toEqualTypeOf<InteractiveContext>();
      expectTypeOf(uri).toEqualTypeOf<string>();
      return variables.table;
    },
    match: () => ({ db: "a", table: "b" }),
    subscribe(variables, ctx) {
      expectTypeOf(variables).toEqualTypeOf<Record<"db" | "table", string>>();
      expectTypeOf(ctx).toEqualTypeOf<Context>();
      return 7;
    },
    watch(variables, changed, uri, source) {
      expectTypeOf(variables).toEqualTypeOf<Record<"db" | "table", string>>();
      expectTypeOf(changed).toEqualTypeOf<() => void>();
      expectTypeOf(uri).toEqualTypeOf<string>();
      expectTypeOf(source).toEqualTypeOf<number>();
      return () => undefined;
    },
  });
});

test("infers input and output of schemas", () => {
  const schema = z.object({ at: z.string().transform(Number), mode: z.string().default("x") });
  expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ at: string; mode?: string | undefined }>();
  expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{ at: number; mode: string }>();
});

test("accepts text, bytes, several contents or none of a resource", () => {
  const base = { uri: "a:b", name: "b" };
  resource({ ...base, read: () => "text" });
  resource({ ...base, read: async () => ({ blob: "AAAA", mimeType: "image/png" }) });
  resource({ ...base, read: () => ["text", { text: "x", uri: "a:c" }] });
  resource({ ...base, read: () => undefined });
});
