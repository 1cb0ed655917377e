// What the compiler refuses. Each line below must be an error; when one no longer is, the check fails.
import { test } from "vitest";
import { z } from "zod";
import { prompt, resource, template, tool, type Context } from "../../src/index.ts";

test("refuses misuse of tools", () => {
  const input = z.object({ path: z.string() });
  const output = z.object({ count: z.number() });
  // @ts-expect-error no such argument
  tool({ name: "t", input, run: ({ file }) => file });
  // @ts-expect-error an object is not a result without a declared output
  tool({ name: "t", run: () => ({ some: "object" }) });
  // @ts-expect-error undefined is not a result
  tool({ name: "t", run: () => undefined });
  // @ts-expect-error a number is not a result
  tool({ name: "t", run: () => 42 });
  // @ts-expect-error not what the output schema takes
  tool({ name: "t", output, run: () => ({ count: "many" }) });
  // @ts-expect-error not what the output schema takes
  tool({ name: "t", output, run: () => ({ content: "x", structured: { count: "many" } }) });
  // @ts-expect-error text alone is not what the output schema takes
  tool({ name: "t", output, run: () => "one" });
  // @ts-expect-error text alone, in one of two cases
  tool({ name: "t", input, output, run: async ({ path }) => (path === "" ? "none" : { count: 1 }) });
  // @ts-expect-error no such kind of block
  tool({ name: "t", run: () => [{ type: "video", data: "" }] });
  // @ts-expect-error a tool has a name
  tool({ run: () => "" });
  // @ts-expect-error no such hint
  tool({ name: "t", hints: { harmless: true }, run: () => "" });
});

test("refuses misuse of prompts", () => {
  const args = z.object({ who: z.string() });
  // @ts-expect-error no such argument to complete
  prompt({ name: "p", args, complete: { whom: () => [] }, get: () => "" });
  // @ts-expect-error a completer gives texts
  prompt({ name: "p", args, complete: { who: () => [1] }, get: () => "" });
  // @ts-expect-error messages have a role
  prompt({ name: "p", args, get: () => [{ content: { type: "text", text: "x" } }] });
});

test("refuses misuse of resources and templates", () => {
  const base = { name: "b" };
  // @ts-expect-error no such variable
  template({ ...base, uri: "a:/{one}", read: ({ two }) => two });
  // @ts-expect-error no such variable to complete
  template({ ...base, uri: "a:/{one}", complete: { two: () => [] }, read: () => "" });
  // @ts-expect-error bytes are a Uint8Array, or base64 text
  resource({ ...base, uri: "a:b", read: () => ({ blob: new ArrayBuffer(1) }) });
  // @ts-expect-error contents have text or bytes
  resource({ ...base, uri: "a:b", read: () => ({ mimeType: "x/y" }) });
});

test("allows client requests only in handlers that may send them", () => {
  const list = (ctx: Context): void => {
    // @ts-expect-error lists and completers cannot ask
    void ctx.elicit;
    // @ts-expect-error lists and completers cannot ask
    void ctx.sample;
  };
  template({ uri: "a:/{one}", name: "b", list: (ctx) => (list(ctx), []), read: () => "" });
});

test("requires schema and message of an elicitation", () => {
  tool({
    name: "t",
    async run(_input, ctx) {
      // @ts-expect-error no schema
      await ctx.elicit({ message: "?" });
      // @ts-expect-error no message
      await ctx.elicit({ schema: z.object({}) });
      const answer = await ctx.elicit({ message: "?", schema: z.object({ sure: z.boolean() }) });
      // @ts-expect-error only an accepted answer has content
      void answer.content;
      return "";
    },
  });
});
