import { expect, test } from "vitest";
import { defineServer, tool } from "@oarlock/server-kit";
import * as z from "zod";
import { accept, cancel, connectTo, decline, modelSays, scriptUser } from "@oarlock/testing";

const server = () =>
  defineServer({
    name: "asks",
    version: "1",
    tools: [
      tool({
        name: "form",
        run: async (_, ctx) => JSON.stringify(await ctx.elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) })),
      }),
      tool({ name: "page", run: async (_, ctx) => JSON.stringify(await ctx.elicitUrl({ message: "Open?", url: "https://example.com/" })) }),
      tool({
        name: "model",
        run: async (_, ctx) =>
          JSON.stringify((await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 })).content),
      }),
    ],
  });

test("answers in order and records the requests", async () => {
  const person = scriptUser([
    accept({ sure: true }),
    decline,
    modelSays("Hello."),
    cancel,
    (asked) => accept({ sure: asked.kind !== "form" }),
  ]);
  await using wired = await connectTo(server(), person.handlers);
  const hear = async (name: string): Promise<unknown> => (await wired.client.call(name)).content;
  expect(await hear("form")).toEqual([{ type: "text", text: '{"action":"accept","content":{"sure":true}}' }]);
  expect(await hear("page")).toEqual([{ type: "text", text: '{"action":"decline"}' }]);
  expect(await hear("model")).toEqual([{ type: "text", text: '{"type":"text","text":"Hello."}' }]);
  expect(await hear("form")).toEqual([{ type: "text", text: '{"action":"cancel"}' }]);
  expect(await hear("form")).toEqual([{ type: "text", text: '{"action":"accept","content":{"sure":false}}' }]);
  const properties = { sure: { type: "boolean" } };
  const form = { kind: "form", message: "Sure?", requestedSchema: { type: "object", properties, required: ["sure"] }, defaults: {} };
  expect(person.requests).toEqual([
    form,
    { kind: "url", message: "Open?", url: "https://example.com/", elicitationId: expect.any(String) },
    { kind: "sample", messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 },
    form,
    form,
  ]);
  person.done();
});

test("reports an unexpected request to the server and to the test", async () => {
  const person = scriptUser([modelSays("Hello.")]);
  await using wired = await connectTo(server(), person.handlers);
  expect(await wired.client.call("form")).toMatchObject({ isError: true });
  expect(await wired.client.call("form")).toMatchObject({ isError: true });
  expect(() => person.done()).toThrow(
    /^The next scripted reply is of another kind than the request: expected one for form\nRequest without a scripted reply: \{"kind":"form"/,
  );
});

test("reports unused answers to the test", () => {
  expect(() => scriptUser([decline, decline]).done()).toThrow("Scripted replies left over: 2");
});

test("declares only the chosen kinds of client requests", async () => {
  const person = scriptUser([], ["sample"]);
  await using wired = await connectTo(server(), person.handlers);
  expect(wired.messages("sent")[0]).toMatchObject({ params: { capabilities: { sampling: {} } } });
  expect(await wired.client.call("form")).toMatchObject({ isError: true });
  expect(person.requests).toEqual([]);
});
