// A yes-or-no question to the user.
import { describe, expect, test } from "vitest";
import { confirm, defineServer, tool } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { askedBy, first, words } from "../support/asking.ts";
import { talk } from "../support/talk.ts";

const call = (client: ReturnType<typeof askedBy>, inputResponses: Json, requestState: unknown): Promise<Json> =>
  client.result("tools/call", { name: "one", arguments: {}, inputResponses, requestState });

describe("confirm", () => {
  test("sends a form with one flag", async () => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Delete a.txt?")));
    const { inputRequests } = await first(client);
    expect(inputRequests).toEqual({
      "elicit-1": {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Delete a.txt?",
          requestedSchema: {
            type: "object",
            properties: { confirm: { type: "boolean", default: false, description: "Yes, go on" } },
          },
        },
      },
    });
  });

  test.each([
    [{ action: "accept", content: { confirm: true } }, "true"],
    [{ action: "accept", content: { confirm: false } }, "false"],
    [{ action: "accept", content: {} }, "false"],
    [{ action: "decline" }, "false"],
    [{ action: "cancel" }, "false"],
  ])("returns for the answer %j: %s", async (answer, expected) => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Go on?")));
    const { requestState } = await first(client);
    expect(await call(client, { "elicit-1": answer }, requestState)).toEqual(words(expected));
  });

  const YES = { action: "accept", content: { confirm: true } };

  test("accepts an answer once, also when it is sent twice concurrently", async () => {
    let acts = 0;
    const client = askedBy(async (ctx) => {
      if (await confirm(ctx, "Delete a.txt?")) acts += 1;
      return "done";
    });
    const { requestState } = await first(client);
    const answers = await Promise.all([1, 2].map(() => call(client, { "elicit-1": YES }, requestState)));
    expect(answers).toContainEqual(words("done"));
    expect(await call(client, { "elicit-1": YES }, requestState)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^The confirmation of this call was used already/) }],
    });
    expect(acts).toBe(1);
    const again = await first(client);
    expect(await call(client, { "elicit-1": YES }, again.requestState)).toEqual(words("done"));
  });

  test("accepts an answer that led to another elicitation in the next round, and once after it", async () => {
    const client = askedBy(async (ctx) => `${await confirm(ctx, "Delete a.txt?")} ${await confirm(ctx, "Sure?")}`);
    const { requestState } = await first(client);
    const second = await call(client, { "elicit-1": YES }, requestState);
    // The client has lost the second question, and sends the first answer again.
    const repeated = await call(client, { "elicit-1": YES }, requestState);
    expect(repeated).toMatchObject({ resultType: "input_required" });
    expect(await call(client, { "elicit-2": YES }, second.requestState)).toEqual(words("true true"));
    for (const state of [second.requestState, repeated.requestState])
      expect(await call(client, { "elicit-2": YES }, state)).toMatchObject({ isError: true });
  });

  test("throws on a flag of another type", async () => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Go on?")));
    const { requestState } = await first(client);
    const answer = await call(client, { "elicit-1": { action: "accept", content: { confirm: "yes" } } }, requestState);
    expect(answer).toMatchObject({ isError: true });
  });

  const WAY_OUT = "Not deleted: start the server with --allow-delete.";
  const deleting = defineServer({
    name: "confirms",
    version: "1",
    tools: [tool({ name: "delete", run: async (_input, ctx) => String(await confirm(ctx, "Delete a.txt?", WAY_OUT)) })],
  });

  test.each<[string, Json, unknown?]>([
    ["did not declare elicitation", {}],
    ["declared it and answers with -32601", { elicitation: {} }, -32601],
    ["declared it and answers with -32600", { elicitation: {} }, -32600],
    ["declared it and answers with -32602", { elicitation: {} }, -32602],
    ["declared it and answers with -32603", { elicitation: {} }, -32603],
    ["declared it and answers with -32000", { elicitation: {} }, -32000],
    ["declared it and answers with a code of another type", { elicitation: {} }, "failed"],
  ])("names the alternative for a client that %s", async (_title, capabilities, code) => {
    await using client = await talk(deleting, { capabilities, answers: { "elicitation/create": () => undefined } });
    const id = client.begin("tools/call", { name: "delete" });
    if ("elicitation" in capabilities) {
      const request = await client.until(({ method }) => method === "elicitation/create");
      client.send({ jsonrpc: "2.0", id: request["id"], error: { code, message: "It failed" } });
    }
    expect(await client.answer(id)).toMatchObject({ result: { isError: true, content: [{ type: "text", text: WAY_OUT }] } });
  });

  test("passes on a refusal with a code of the client's own", async () => {
    await using client = await talk(deleting, { capabilities: { elicitation: {} }, answers: { "elicitation/create": () => undefined } });
    const id = client.begin("tools/call", { name: "delete" });
    const request = await client.until(({ method }) => method === "elicitation/create");
    client.send({ jsonrpc: "2.0", id: request["id"], error: { code: -1, message: "User rejected it" } });
    const text = "The client refused the request: User rejected it";
    expect(await client.answer(id)).toMatchObject({ result: { isError: true, content: [{ type: "text", text }] } });
  });

  test("names the alternative for a stateless client that did not declare elicitation", async () => {
    const client = askedBy(async (ctx) => String(await confirm(ctx, "Delete a.txt?", WAY_OUT)), {});
    expect(await first(client)).toMatchObject({ isError: true, content: [{ type: "text", text: WAY_OUT }] });
  });
});
