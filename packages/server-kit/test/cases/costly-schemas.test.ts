// Schemas that cost much where a value is hostile: patterns, unique items, long choices, formats (security cases KIT-07, KIT-08).
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineServer, fromJsonSchema, prompt, tool, type Schema, type ToolDefinition } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { ZOD_TEXTS } from "../fixtures/zod-texts.ts";
import { ABLE, talk, type Talk } from "../support/talk.ts";
import { cpuMs } from "../support/cpu-ms.ts";

/** Nothing hostile may keep the server from others for longer. In milliseconds of CPU. */
const SOON = 1000;
const BAD = /^(\w+\s?)+$/;
const SLOW = /^[^]*\s+$/;

const taking = (input: Schema, name = "take"): ToolDefinition => tool({ name, input, run: () => "taken" });
const served = (...tools: ToolDefinition[]): Promise<Talk> => talk(defineServer({ name: "costly", version: "1", tools }));
const raw = (schema: Json, wrong?: string): Schema<Json> => fromJsonSchema(schema, () => wrong);

/** What a call is answered, and within the time that others may have to wait for it. */
async function soon(client: Talk, args: Json): Promise<string> {
  const started = cpuMs();
  const { isError, content } = await client.call("take", args);
  expect(cpuMs() - started).toBeLessThan(SOON);
  await client.settled();
  const [{ text = "" } = {}] = content as { text?: string }[];
  return isError === true ? text : "taken";
}

describe("KIT-07 a pattern that some texts take for ever is refused at registration", () => {
  const text = z.string().regex(BAD);
  test.each<[string, () => unknown, string]>([
    ["argument", () => taking(z.object({ name: text })), 'tool "take", "name"'],
    ["deep inside", () => taking(z.object({ a: z.array(z.object({ b: text.optional() })) })), 'tool "take", "a.b"'],
    ["one of several", () => taking(z.object({ a: z.union([z.number(), text]) })), 'tool "take", "a"'],
    ["two patterns", () => taking(z.object({ a: z.string().regex(/^x/).regex(BAD) })), 'tool "take", "a"'],
    ["names of members", () => taking(z.object({ a: z.record(text, z.string()) })), 'tool "take", "a"'],
    ["members by pattern", () => taking(raw({ type: "object", patternProperties: { [BAD.source]: {} } })), 'tool "take"'],
    ["a length does not help", () => taking(z.object({ a: text.max(1000) })), 'tool "take", "a"'],
    ["result", () => tool({ name: "take", output: z.object({ out: text }), run: () => ({ out: "x" }) }), 'tool "take", output, "out"'],
    ["prompt", () => prompt({ name: "greet", args: z.object({ who: text }), get: () => "" }), 'prompt "greet", "who"'],
  ])("%s", (_where, make, owner) => expect(make).toThrow(new RegExp(`^${owner}: this pattern .* doubles with each character: `)));

  test("with strictHosts: false too, behind references and in circles", () => {
    const $defs = {
      word: { type: "string", pattern: BAD.source },
      tree: { anyOf: [{ type: "array", items: { $ref: "#/$defs/tree" } }, { $ref: "#/$defs/word" }] },
    };
    const input = raw({ type: "object", properties: { a: { $ref: "#/$defs/tree" } }, $defs });
    expect(() => tool({ name: "take", input, strictHosts: false, run: () => "" })).toThrow("doubles with each character");
  });

  test("a late schema is refused at its first list or call, a question before it is asked", async () => {
    const late = tool({ name: "take", input: () => z.object({ a: text }), run: () => "taken" });
    const asks = tool({
      name: "asks",
      run: async (_input, ctx) => (await ctx.elicit({ message: "?", schema: z.object({ a: text }) })).action,
    });
    await using client = await talk(defineServer({ name: "costly", version: "1", tools: [late, asks] }), { capabilities: ABLE });
    expect(await client.failure("take", { a: `${"a".repeat(50_000)}!` })).toMatch(/^Internal error/);
    expect(await client.failure("asks")).toMatch(/^Internal error/);
    expect(client.heard("elicitation/create")).toEqual([]);
    expect(await client.error("tools/list")).toMatchObject({ code: -32603 });
  });
});

describe("KIT-07 a pattern whose time grows with a power of the length", () => {
  const hostile = `${" ".repeat(50_000)}x`;

  test.each<[string, Schema, Json, Json, RegExp]>([
    ["argument", z.object({ a: z.string().regex(SLOW) }), { a: hostile }, { a: "good " }, /a: expected at most 5000 characters/],
    ["cubic", z.object({ a: z.string().regex(/^\s*\s*\s*y$/) }), { a: hostile }, { a: " y" }, /a: expected at most 292 characters/],
    ["in a list", z.object({ a: z.array(z.string().regex(SLOW)) }), { a: ["b ", hostile] }, { a: ["b "] }, /a\.1: expected at most 5000/],
    [
      "as a name",
      z.object({ a: z.record(z.string().regex(SLOW), z.null()) }),
      { a: { [hostile]: null } },
      { a: { " ": null } },
      /at most 5000/,
    ],
    ["by pattern", raw({ type: "object", patternProperties: { [SLOW.source]: {} } }), { [hostile]: 1 }, { " ": 1 }, /at most 5000/],
    ["any other", z.object({}).catchall(z.string().regex(SLOW)), { a: hostile }, { a: " " }, /a: expected at most 5000/],
    ["first items", z.object({ a: z.tuple([z.string().regex(SLOW)]) }), { a: [hostile] }, { a: [" "] }, /a\.0: expected at most 5000/],
    ["one of two", z.object({ a: z.union([z.string().regex(SLOW), z.number()]) }), { a: hostile }, { a: 1 }, /a: expected at most 5000/],
    [
      "its own length",
      z.object({ a: z.string().regex(SLOW).max(20) }),
      { a: " ".repeat(30) },
      { a: " " },
      /a: expected at most 20 characters/,
    ],
    ["two of it", z.object({ a: z.string().regex(/^x?/).regex(SLOW) }), { a: hostile }, { a: " " }, /a: expected at most 5000/],
    [
      "many texts",
      z.object({ a: z.array(z.string().regex(SLOW)) }),
      { a: Array(500).fill(hostile.slice(-4900)) },
      { a: [" "] },
      /a\.1: too many long texts/,
    ],
  ])("%s: the length is checked first", async (_where, input, bad, good, words) => {
    await using client = await served(taking(input));
    expect(await soon(client, bad)).toMatch(words);
    expect(await soon(client, good)).toBe("taken");
  });

  test("the bound is published, and the author's own where it is smaller", () => {
    const { inputSchema } = taking(
      z.object({
        a: z.string().regex(SLOW),
        b: z.string().regex(SLOW).max(9),
        c: z.string().regex(/^x+$/),
        d: z.string().regex(SLOW).max(90_000),
      }),
    ).listing();
    expect(inputSchema["properties"]).toMatchObject({ a: { maxLength: 5000 }, b: { maxLength: 9 }, d: { maxLength: 5000 } });
    expect((inputSchema["properties"] as Json)["c"]).not.toHaveProperty("maxLength");
  });

  test("with strictHosts: false it holds without being published, in circles of references too", async () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: ["string", "array"], pattern: SLOW.source, items: { $ref: "#/$defs/tree" } } },
    };
    const before = JSON.stringify(schema);
    const take = tool({ name: "take", input: raw(schema), strictHosts: false, run: () => "taken" });
    await using client = await served(take);
    expect(await soon(client, { a: [[hostile]] })).toMatch("a.0.0: expected at most 5000");
    expect(await soon(client, { a: [[" "]] })).toBe("taken");
    expect(JSON.stringify(take.listing().inputSchema)).toBe(before);
  });

  test("prompts and results are bounded in the same way", async () => {
    const text = z.string().regex(SLOW);
    const gives = tool({ name: "take", output: z.object({ out: text }), run: () => ({ out: hostile }) });
    const greet = prompt({ name: "greet", args: z.object({ who: text }), get: () => "greeted" });
    await using client = await talk(defineServer({ name: "costly", version: "1", tools: [gives], prompts: [greet] }));
    expect(await soon(client, {})).toMatch(/^Internal error/);
    const started = cpuMs();
    expect((await client.error("prompts/get", { name: "greet", arguments: { who: hostile } }))["message"]).toContain(
      "who: expected at most 5000",
    );
    expect(cpuMs() - started).toBeLessThan(SOON);
  });

  test("the longest text that passes takes its time, and no more", async () => {
    await using client = await served(taking(z.object({ a: z.string().regex(SLOW) })));
    expect(await soon(client, { a: `${" ".repeat(4999)}x` })).toContain("Invalid");
  });
});

describe("KIT-08 other costly keywords", () => {
  const many = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  const distinct = (items: unknown): string | undefined =>
    Array.isArray(items) && items.some((item, at) => items.slice(0, at).some((other) => isDeepStrictEqual(item, other)))
      ? "a: not unique"
      : undefined;

  test("unique items over 100,000 objects: limited before the author's check, and the limit is published", async () => {
    const input = fromJsonSchema({ type: "object", properties: { a: { type: "array", uniqueItems: true } } }, ({ a }) => distinct(a));
    const take = taking(input);
    expect(take.listing().inputSchema["properties"]).toEqual({ a: { type: "array", uniqueItems: true, maxItems: 1000 } });
    await using client = await served(take);
    expect(await soon(client, { a: many })).toContain("a: expected at most 1000 items");
    expect(await soon(client, { a: many.slice(0, 100) })).toBe("taken");
    expect(await soon(client, { a: [{}, {}] })).toContain("not unique");
  });

  test("an author whose check can bear more says so by maxItems", async () => {
    const a = { type: "array", uniqueItems: true, maxItems: 100_000 };
    await using client = await served(taking(raw({ type: "object", properties: { a } })));
    expect(await soon(client, { a: many })).toBe("taken");
    expect(await soon(client, { a: [...many, {}] })).toContain("a: expected at most 100000 items");
  });

  test("a choice of 100,000", async () => {
    const names = many.map(({ at }) => `choice-${at}`);
    await using client = await served(taking(z.object({ a: z.enum(names as [string]), b: z.array(z.enum(names as [string])).optional() })));
    expect(await soon(client, { a: "choice-99999" })).toBe("taken");
    const answer = await soon(client, { a: "no choice" });
    expect(answer).toContain("a: ");
    expect(answer.length).toBeLessThan(1000);
    expect(await soon(client, { a: "choice-0", b: names })).toBe("taken");
  });

  test.each(ZOD_TEXTS)("KIT-07 the format $name bears 50 KB of anything, and a megabyte", async ({ schema }) => {
    await using client = await served(taking(z.object({ a: schema })));
    const parts = ["a", "1", "-", ".", "a.", "a-", "@", "a@", "0:", "::", "/", "=", "P1Y", "%", "😀", " ", "1.", "b"];
    const hostile = parts.flatMap((part) =>
      ["", "a@", "1", "v1.2-", "http://", "P", "2020-01-01T00:00:00."].flatMap((start) =>
        ["", "!"].map((end) => start + part.repeat(50_000 / part.length) + end),
      ),
    );
    let slowest = 0;
    for (const a of [...hostile, "a".repeat(1e6), ".".repeat(1e6), "a.".repeat(5e5), "1".repeat(1e6)]) {
      const started = cpuMs();
      await client.call("take", { a });
      slowest = Math.max(slowest, cpuMs() - started);
    }
    expect(slowest).toBeLessThan(SOON);
  });
});
