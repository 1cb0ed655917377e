// Asking the person (requirements ELIC-*).
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineServer, fromJsonSchema, tool, ToolError, type InteractiveContext, type Schema, type Server } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const CREATE = "elicitation/create";
const ABLE: Json = { elicitation: { form: {}, url: {} } };
const WITH = STATEFUL.filter((revision) => revision >= "2025-06-18");
const accept = (content: Json) => () => ({ action: "accept", content });

/** A server whose one tool asks by this schema. */
const asking = (schema: Schema): Server =>
  defineServer({
    name: "asking",
    version: "1",
    tools: [tool({ name: "ask", run: async (_input, ctx) => JSON.stringify(await ctx.elicit({ message: "Well?", schema })) })],
  });

describe.each(WITH)("TIME-02 CANCEL-01 in %s", (revision) => {
  const schema = fromJsonSchema({ type: "object", properties: {} }, () => undefined);
  const WAYS: Record<string, (ctx: InteractiveContext) => unknown> = {
    "returns without its answer": (ctx) => void ctx.elicit({ message: "Well?", schema }),
    "fails without its answer": (ctx) => Promise.all([ctx.elicit({ message: "Well?", schema }), Promise.reject(new ToolError("no"))]),
  };

  test.each(Object.keys(WAYS))("cancels an elicitation before the response of a call that %s", async (way) => {
    const asks = tool({
      name: "asks",
      async run(_input, ctx) {
        await WAYS[way]?.(ctx);
        return "done";
      },
    });
    await using client = await talk(defineServer({ name: "asks", version: "1", tools: [asks] }), { revision, capabilities: ABLE });
    await client.settled();
    client.received.length = 0;
    await client.call("asks");
    const [question, taken, answer] = client.received;
    expect(question).toMatchObject({ method: CREATE });
    expect(taken).toMatchObject({ method: "notifications/cancelled", params: { requestId: question?.["id"] } });
    expect(answer).toHaveProperty("result");
  });
});

describe.each(WITH)("in %s", (revision) => {
  const newest = revision >= "2025-11-25";

  test("ELIC-08 ELIC-09 ELIC-10 ELIC-11 encodes a message and a flat form for the revision", async () => {
    await using client = await talk(sampleServer(), {
      revision,
      capabilities: ABLE,
      answers: { [CREATE]: accept({ name: "Ada", sure: true }) },
    });
    expect(JSON.parse(await client.replyText("ask", { message: "Who?" }))).toEqual({ name: "Ada", sure: true });
    const [asked] = client.heard(CREATE) as [Json];
    expect(asked).toEqual({
      ...(newest && { mode: "form" }),
      message: "Who?",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 40, description: "Who you are", ...(newest && { default: "nobody" }) },
          mail: { type: "string", format: "email" },
          site: { type: "string", format: "uri" },
          age: { type: "integer", minimum: 0, maximum: 150 },
          share: { type: "number" },
          sure: { type: "boolean", default: false },
          colour: { type: "string", enum: ["red", "green"] },
        },
      },
    });
  });

  test("ELIC-10 ELIC-11 encodes titled choices and lists of choices", async () => {
    const schema = fromJsonSchema<Json>(
      {
        type: "object",
        properties: {
          one: {
            type: "string",
            oneOf: [
              { const: "r", title: "Red" },
              { const: "g", title: "Green" },
            ],
            default: "g",
          },
          many: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, default: ["a"] },
          titled: {
            type: "array",
            items: {
              anyOf: [
                { const: "a", title: "A" },
                { const: "b", title: "B" },
              ],
            },
          },
        },
        required: ["one"],
      },
      () => undefined,
    );
    await using client = await talk(asking(schema), {
      revision,
      capabilities: ABLE,
      answers: { [CREATE]: accept({ one: "r", many: ["b"] }) },
    });
    const answer = await client.call("ask");
    const [asked] = client.heard(CREATE) as { requestedSchema: { properties: Json } }[];
    if (newest) {
      expect(asked!.requestedSchema.properties).toEqual(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })["properties"]);
      expect(answer).not.toHaveProperty("isError");
    } else if (asked !== undefined) {
      // There is no list in this revision: whatever is asked is made of its four kinds of field.
      for (const field of Object.values(asked.requestedSchema.properties))
        expect((field as Json)["type"]).toBeOneOf(["string", "number", "integer", "boolean"]);
      expect(asked.requestedSchema.properties["one"]).toEqual({ type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] });
    } else expect(answer).toHaveProperty("isError", true);
  });

  test("ELIC-20 distinguishes decline from cancel, and reads anything else as cancel", async () => {
    let answer: Json = {};
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE, answers: { [CREATE]: () => answer } });
    const replies: string[] = [];
    for (const action of ["decline", "cancel", "maybe", undefined, 7]) {
      answer = { action, content: { name: "Ada", sure: true } };
      replies.push(await client.replyText("ask"));
    }
    expect(replies).toEqual(["decline", "cancel", "cancel", "cancel", "cancel"]);
  });

  test("ELIC-40 refuses content that does not match the form", async () => {
    let content: unknown;
    await using client = await talk(sampleServer(), {
      revision,
      capabilities: ABLE,
      answers: { [CREATE]: () => ({ action: "accept", content }) as Json },
    });
    for (content of [
      undefined,
      null,
      "yes",
      { sure: "yes" },
      { sure: true, age: "7" },
      { age: -1 },
      { colour: "blue" },
      { mail: "x" },
      { name: ["x"] },
    ]) {
      expect.soft(await client.failure("ask"), JSON.stringify(content)).toContain("does not fit");
    }
  });

  test("ELIC-03 LIFE-15 sends no elicitation to a client that did not declare it", async () => {
    for (const capabilities of [{}, { elicitation: null }, { elicitation: true }, { sampling: {}, roots: {} }]) {
      await using client = await talk(sampleServer(), { revision, capabilities });
      expect.soft(await client.failure("ask")).toContain("elicit");
      expect.soft(await client.failure("ask_url")).toContain("elicit");
      expect.soft(client.heard(CREATE)).toEqual([]);
    }
  });
});

test.each(STATEFUL.filter((revision) => revision < "2025-06-18"))(
  "ELIC-03 has no elicitation in %s, whatever the client declares",
  async (revision) => {
    await using client = await talk(sampleServer(), { revision, capabilities: ABLE });
    expect(await client.failure("ask")).toContain("elicit");
    expect(await client.failure("ask_url")).toContain("elicit");
    expect(client.heard(CREATE)).toEqual([]);
  },
);

test("ELIC-04 ELIC-06 uses only declared modes, and reads an empty object as forms", async () => {
  const modes: [Json, boolean, boolean][] = [
    [{}, true, false],
    [{ form: {} }, true, false],
    [{ url: {} }, false, true],
    [{ form: {}, url: {} }, true, true],
    [{ invented: {} }, true, false],
  ];
  for (const [elicitation, form, url] of modes) {
    await using client = await talk(sampleServer(), {
      capabilities: { elicitation },
      answers: { [CREATE]: () => ({ action: "decline" }) },
    });
    expect.soft((await client.call("ask"))["isError"], JSON.stringify(elicitation)).toBe(form ? undefined : true);
    expect.soft((await client.call("ask_url"))["isError"], JSON.stringify(elicitation)).toBe(url ? undefined : true);
    expect.soft(client.heard(CREATE).map(({ mode }) => mode)).toEqual([...(form ? ["form"] : []), ...(url ? ["url"] : [])]);
  }
});

describe("URL elicitations", () => {
  test("ELIC-13 ELIC-14 have mode, message, URL and an id of their own", async () => {
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: () => ({ action: "accept" }) } });
    for (let time = 0; time < 3; time++) expect(await client.replyText("ask_url")).toBe("accept");
    const asked = client.heard(CREATE);
    for (const one of asked) {
      const elicitationId: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect(one).toEqual({ mode: "url", message: "Please look at this.", url: "https://sample.example/login", elicitationId });
    }
    expect(new Set(asked.map(({ elicitationId }) => elicitationId)).size).toBe(3);
  });

  test("ELIC-13 are not sent with an invalid URL", async () => {
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: () => ({ action: "accept" }) } });
    for (const url of ["nonsense", "", "/login", "https://"]) expect.soft(await client.failure("ask_url", { url }), url).not.toBe("");
    expect(client.heard(CREATE)).toEqual([]);
  });

  test("ELIC-20 distinguish decline from cancel", async () => {
    let action = "";
    await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { [CREATE]: () => ({ action }) } });
    for (action of ["decline", "cancel"]) expect(await client.replyText("ask_url")).toBe(action);
  });

  test("ELIC-35 are not demanded by an error when none is needed", async () => {
    await using client = await talk(sampleServer(), { capabilities: { elicitation: { form: {} } } });
    await client.failure("ask_url");
    expect(JSON.stringify(client.received)).not.toContain("-32042");
  });
});

describe("forms that no client can draw", () => {
  const refused: Record<string, Schema> = {
    "an object in a field": z.object({ inner: z.object({ x: z.string() }) }),
    "a list of texts": z.object({ list: z.array(z.string()) }),
    "a list of objects": z.object({ list: z.array(z.object({ x: z.string() })) }),
    "a union": z.object({ either: z.union([z.string(), z.number()]) }),
    "a field of any kind": z.object({ any: z.unknown() }),
  };

  test.each(Object.entries(refused))("ELIC-08 are refused before the request is sent: %s", async (_title, schema) => {
    const logged: unknown[] = [];
    await using client = await talk(asking(schema), { capabilities: ABLE, log: (_level, data) => logged.push(data) });
    await client.failure("ask");
    expect(client.heard(CREATE)).toEqual([]);
    expect(String(logged[0])).toMatch(/field|schema/);
  });

  test("ELIC-09 are sent without unknown formats and keywords, which are still checked", async () => {
    const schema = z.object({ id: z.uuid(), code: z.string().regex(/^\d+$/), when: z.iso.datetime(), day: z.iso.date() });
    await using client = await talk(asking(schema), {
      capabilities: ABLE,
      answers: { [CREATE]: accept({ id: "x", code: "y", when: "z", day: "w" }) },
    });
    expect(await client.failure("ask")).toMatch(/id: .*\ncode: .*\nwhen: .*\nday: /);
    expect((client.heard(CREATE)[0]!["requestedSchema"] as Json)["properties"]).toEqual({
      id: { type: "string" },
      code: { type: "string" },
      when: { type: "string", format: "date-time" },
      day: { type: "string", format: "date" },
    });
  });
});
